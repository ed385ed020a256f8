import { setTimeout } from "node:timers/promises";
import { sharedClock } from "@sessions/conformance/multi-process";
import { type ProgressLine, within } from "run-tools";
import type { Finding } from "./judge/finding.js";
import { readLogs } from "./log/read-logs.js";
import { Nemesis } from "./nemesis/nemesis.js";
import type { StoreServer } from "./nemesis/store-server.js";
import type { Options } from "./options.js";
import { countFindings, type Report } from "./report.js";
import { Fleet, type FleetTask } from "./run/fleet.js";
import { RunFolder } from "./run/run-folder.js";
import { Stall } from "./run/stall.js";
import { WorkerProcess } from "./run/worker-process.js";
import type { ChaosStore } from "./stores/chaos-store.js";
import { type Target, targets } from "./target.js";

const FINISH_MS = 60_000;
const STALL_MS = 60_000;
/** The final read covers every session, also of runs that took hours. */
const FINAL_READ_MS = 600_000;
const MAX_CRASHES = 10;
const MAX_TURN_TTL_MS = 1500;
const MAX_REPORTED_FINDINGS = 40;

/** Makes one run, from an empty folder to the report. Leaves no process behind, even if the run fails. */
export async function runChaos(
  options: Options,
  progress: ProgressLine,
  signal: AbortSignal,
): Promise<Report> {
  const store: ChaosStore = await import(options.module);
  if (options.servers !== "one" && store.surround === undefined)
    throw new Error(`--servers: the store "${options.store}" has no servers`);
  const folder = await RunFolder.make(options.fullDisk, store.surround !== undefined);
  let server: StoreServer | undefined;
  let report: Report | undefined;
  try {
    server = await store.surround?.(folder.data, options.servers);
    const run = new Run(options, folder, server, progress);
    report = withoutFeeds(await run.report(signal), store.noFeeds);
    return report;
  } finally {
    await server?.stop();
    if (report?.kept === undefined) await folder.remove();
    else await folder.keep();
  }
}

/** Reports that feeds were not checked if the store gives a reason. Runs of bots and agents never check feeds. */
function withoutFeeds(report: Report, reason: string | undefined): Report {
  return reason === undefined || report.target !== "store"
    ? report
    : { ...report, skipped: [...report.skipped, `feeds: ${reason}`] };
}

class Run {
  readonly #options: Options;
  readonly #target: Target;
  readonly #folder: RunFolder;
  readonly #task: FleetTask;
  readonly #progress: ProgressLine;
  readonly #startedAt = sharedClock();
  readonly #fleet: Fleet;
  readonly #nemesis: Nemesis;
  readonly #stall = new Stall(STALL_MS);

  constructor(options: Options, folder: RunFolder, server: StoreServer | undefined, progress: ProgressLine) {
    const { target, seed, pauseMs, writers, modes, links, module: store } = options;
    this.#options = options;
    this.#target = targets[target];
    this.#folder = folder;
    this.#progress = progress;
    this.#task = {
      target,
      seed,
      modes,
      links,
      store,
      data: folder.data,
      logs: folder.logs,
      startedAt: this.#startedAt,
      // Shorter than a pause, so that a paused worker loses its turn.
      turnTtlMs: Math.max(1, Math.min(MAX_TURN_TTL_MS, Math.floor(pauseMs / 2))),
    };
    this.#fleet = new Fleet(writers, this.#task, { worker: this.#target.worker, entry: this.#entry });
    const { disk } = folder;
    this.#nemesis = new Nemesis(this.#fleet, {
      seed,
      pauseMs,
      clockSteps: options.clockSteps,
      disk,
      server,
    });
  }

  async report(signal: AbortSignal): Promise<Report> {
    signal.addEventListener("abort", () => void this.#fleet.killAll());
    try {
      await this.#disturb(signal);
      if (!signal.aborted) await this.#fleet.finish(FINISH_MS);
    } finally {
      await this.#fleet.killAll();
    }
    const failure = signal.aborted ? undefined : await this.#finalRead(signal);
    return this.#judged(signal, failure);
  }

  get #entry(): readonly string[] {
    return this.#folder.disk?.entry ?? [];
  }

  get #seconds(): number {
    return (sharedClock() - this.#startedAt) / 1e6;
  }

  async #disturb(signal: AbortSignal): Promise<void> {
    const timer = setInterval(() => this.#showProgress("running"), 200);
    try {
      while (!this.#fleet.isRunning && !this.#isStuck() && !signal.aborted) await setTimeout(20);
      await this.#nemesis.disturb(() => this.#isDone(), signal);
    } finally {
      clearInterval(timer);
    }
  }

  #isDone(): boolean {
    const { kills, minutes, writers } = this.#options;
    if (this.#isStuck()) return true;
    if (this.#fleet.calls < writers * this.#target.leastCallsPerWriter) return false;
    if (kills !== undefined && this.#nemesis.counts.kills >= kills) return true;
    return minutes !== undefined && this.#seconds >= minutes * 60;
  }

  /** Whether workers crash again and again, or make no more calls. */
  #isStuck(): boolean {
    this.#stall.observe(this.#fleet.calls);
    return this.#stall.isDetected || this.#fleet.crashes.length >= MAX_CRASHES;
  }

  #showProgress(phase: string): void {
    const { kills, pauses, filledDisks } = this.#nemesis.counts;
    const { calls, crashes } = this.#fleet;
    const crashCount = crashes.length === 0 ? "" : ` · ${crashes.length} crashes`;
    this.#progress.show(
      `${phase} · ${this.#seconds.toFixed(0)} s · ${calls} calls · ${kills} kills · ${pauses} pauses · ${filledDisks} full disks${crashCount}`,
    );
  }

  /** Returns how the final read failed, or `undefined`. */
  async #finalRead(signal: AbortSignal): Promise<string | undefined> {
    this.#showProgress("reading");
    const reader = new WorkerProcess(
      this.#target.finalRead,
      { ...this.#task, slot: 0, generation: 0 },
      this.#entry,
    );
    signal.addEventListener("abort", () => void reader.kill());
    try {
      return await within(FINAL_READ_MS, "it to end", reader.ended);
    } catch (error) {
      await reader.kill();
      return `was killed: ${String(error)}`;
    }
  }

  #crashes(finalRead: string | undefined): readonly string[] {
    return [
      ...this.#fleet.crashes,
      ...(this.#stall.isDetected ? [`for ${STALL_MS} ms no worker made a call`] : []),
      ...(finalRead === undefined ? [] : [`the final read ${finalRead}`]),
    ];
  }

  #judged(signal: AbortSignal, finalRead: string | undefined): Report {
    this.#showProgress("judging");
    const { target, store, servers, seed, writers, keep, clockSteps } = this.#options;
    const { rows } = this.#target;
    const { tally, sessions, findings: broken } = this.#target.judge(readLogs(this.#folder.logs));
    const crashed = this.#crashes(finalRead).map(
      (detail): Finding => ({ kind: "unexpected-error", session: "", detail }),
    );
    const findings = signal.aborted ? crashed : [...broken, ...crashed];
    const verdict = signal.aborted ? "interrupted" : findings.length > 0 ? "violated" : "sound";
    return {
      target,
      store,
      servers,
      seed,
      writers,
      seconds: this.#seconds,
      ...tally,
      disturbances: this.#nemesis.counts,
      skipped: [...this.#folder.skipped, ...(clockSteps ? [] : ["clock steps: --no-clock-steps"])],
      sessions,
      found: signal.aborted ? {} : countFindings(rows, findings),
      findings: findings.slice(0, MAX_REPORTED_FINDINGS),
      verdict,
      ...(keep || verdict === "violated" ? { kept: this.#folder.path } : {}),
    };
  }
}

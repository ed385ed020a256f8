/**
 * The globals that Node, browsers and edge runtimes share, and no other: what this package may ask of its
 * platform.
 *
 * Not published and not referred to by the declarations in dist/: there `AbortSignal` and the like mean
 * whatever the user's own lib (DOM, WebWorker) or @types/node says. `lib: ["WebWorker"]` would do too, but
 * it also declares `close`, `name`, `self` and a hundred more, and a forgotten import of one's own `close`
 * would compile.
 */

interface PlatformTimer {
  /** Node has it, browsers do not: call it as `timer.unref?.()`. */
  unref?(): unknown;
}

declare function setTimeout(callback: () => void, milliseconds?: number): PlatformTimer;
declare function clearTimeout(timer: PlatformTimer | undefined): void;
/** Node has it, browsers and some edge runtimes do not. */
declare var setImmediate: ((callback: () => void) => unknown) | undefined;

interface PlatformMessagePort {
  addEventListener(type: "message", listener: () => void): void;
  start(): void;
  postMessage(message: unknown): void;
}
/** Not every edge runtime has it. */
declare var MessageChannel:
  | { new (): { readonly port1: PlatformMessagePort; readonly port2: PlatformMessagePort } }
  | undefined;
declare function structuredClone<T>(value: T): T;

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
declare var AbortSignal: {
  abort(reason?: unknown): AbortSignal;
  timeout(milliseconds: number): AbortSignal;
  any(signals: AbortSignal[]): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare var AbortController: { new (): AbortController };

declare var crypto: {
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
  getRandomValues<T extends Uint8Array | Uint16Array | Uint32Array>(array: T): T;
  readonly subtle: {
    digest(algorithm: "SHA-256", data: Uint8Array): Promise<ArrayBuffer>;
  };
};

declare var performance: { now(): number };

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
declare var TextEncoder: { new (): TextEncoder };

interface TextDecoder {
  decode(bytes?: Uint8Array): string;
}
declare var TextDecoder: { new (label?: "utf-8", options?: { readonly fatal?: boolean }): TextDecoder };

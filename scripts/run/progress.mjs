const patience = 3000;

/**
 * Shows progress: in a terminal one line, which is rewritten and then removed; elsewhere "preparing …", and a line with the
 * current step if the step takes long.
 */
export function progress(title, out = process.stderr, everyMilliseconds = patience) {
  return out.isTTY ? rewritten(title, out) : nowAndThen(title, out, everyMilliseconds);
}

function rewritten(title, out) {
  const line = (text) => out.write(`\r\x1b[2K${text}`);
  return { say: (step) => line(`${title}: ${step} …`), done: () => line("") };
}

function nowAndThen(title, out, everyMilliseconds) {
  let present;
  let told;
  out.write(`${title} …\n`);
  const timer = setInterval(() => {
    if (present !== told) out.write(`${title}: ${present} …\n`);
    told = present;
  }, everyMilliseconds).unref();
  const say = (step) => {
    present = step;
  };
  return { say, done: () => clearInterval(timer) };
}

/** A promise with its `resolve` and `reject`. */
export class Deferred<Value> {
  resolve: (value: Value) => void = () => undefined;
  reject: (reason: unknown) => void = () => undefined;
  readonly promise: Promise<Value> = new Promise((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

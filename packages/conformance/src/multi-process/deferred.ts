/** A promise with its `resolve` and `reject`. */
export class Deferred<Value> {
  settled = false;
  resolve: (value: Value) => void = () => undefined;
  reject: (reason: unknown) => void = () => undefined;
  readonly promise: Promise<Value> = new Promise((resolve, reject) => {
    this.resolve = (value) => {
      this.settled = true;
      resolve(value);
    };
    this.reject = (reason) => {
      this.settled = true;
      reject(reason);
    };
  });
}

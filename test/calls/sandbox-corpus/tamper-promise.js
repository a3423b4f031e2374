// expect: ok 7
Promise.prototype.then = function () {
  throw 1;
};
Promise.resolve = Promise.reject = Promise.all = null;
globalThis.Promise = class {};
export default async () => 7;

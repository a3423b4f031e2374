// expect: sandbox_error sandbox_timeout sandbox_memory
class Evil extends Array {
  static get [Symbol.species]() {
    return function () {
      return new Proxy([], {
        set: () => {
          for (;;);
        },
        defineProperty: () => {
          for (;;);
        },
      });
    };
  }
}
export default () => new Evil(1, 2, 3).map((n) => n);

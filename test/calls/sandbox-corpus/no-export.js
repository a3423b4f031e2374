// expect: sandbox_error
globalThis.default = () => 1;

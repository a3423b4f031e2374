// expect: sandbox_error sandbox_timeout
export default () => new RegExp("(".repeat(100000) + ")".repeat(100000)).test("x");

// expect: sandbox_timeout
export default () => /^(a+)+$/.test("a".repeat(50) + "!");

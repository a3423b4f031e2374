// expect: sandbox_error
export default () => 1n;

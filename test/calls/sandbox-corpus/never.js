// expect: sandbox_error
export default () => new Promise(() => {});

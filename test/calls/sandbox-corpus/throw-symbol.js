// expect: sandbox_error
export default () => {
  throw Symbol("no text");
};

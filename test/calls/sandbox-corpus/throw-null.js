// expect: sandbox_error
export default () => {
  throw null;
};

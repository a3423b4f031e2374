// expect: ok null
export default () => () => {};

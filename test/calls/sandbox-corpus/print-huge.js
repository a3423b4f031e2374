// expect: ok 1
export default () => {
  console.log("x".repeat(3e6));
  return 1;
};

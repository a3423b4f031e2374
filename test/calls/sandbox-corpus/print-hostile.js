// expect: sandbox_error
export default () => {
  console.log({
    toJSON() {
      throw new Error("no");
    },
  });
};

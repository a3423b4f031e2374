// expect: sandbox_timeout
const again = {
  then(resolve) {
    resolve(again);
  },
};
export default () => again;

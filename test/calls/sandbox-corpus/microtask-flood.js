// expect: sandbox_timeout
const flood = () => {
  Promise.resolve().then(flood);
  Promise.resolve().then(() => {});
};
export default () => {
  flood();
  return new Promise(() => {});
};

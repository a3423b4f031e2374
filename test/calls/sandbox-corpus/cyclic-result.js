// expect: sandbox_error
export default () => {
  const self = {};
  self.self = self;
  return self;
};

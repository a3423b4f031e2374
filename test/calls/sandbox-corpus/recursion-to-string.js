// expect: sandbox_error
const list = [];
list.toString = () => `${list}`;
export default () => `${list}`;

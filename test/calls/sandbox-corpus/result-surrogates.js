// expect: ok "\ud800"
export default () => "\ud800";

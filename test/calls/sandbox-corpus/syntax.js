// expect: sandbox_error
export default () => { let x = ; };

// An address in the app that leads nowhere, within its frame.
export { NothingHere as default } from "@/components/shell/nothing-here";

// The page of an unknown address, within the frame of the app.
export { NothingHere as default } from "@/components/shell/nothing-here";

"use client";

// The error page of the app, within its frame.
export { PageError as default } from "@/components/shell/page-error";

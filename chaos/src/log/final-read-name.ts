/** The process name under which the final read writes its log. */
export const FINAL_READ = "final-read";

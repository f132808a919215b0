/** The data of an event. */
export interface ChangeData {
  /** The addresses of the pages that changed. */
  pages: string[];
  /** True if other pages may have changed, too. */
  more: boolean;
}

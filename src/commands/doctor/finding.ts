/** What a look at one part of the appliance found: a plain sentence, and where it is not well, what to do. */
export interface Finding {
  /** `watch`: works, and could be better. `wrong`: does not work as it should. */
  grade: 'well' | 'watch' | 'wrong';
  text: string;
}

export const well = (text: string): Finding => ({ grade: 'well', text });
export const watch = (text: string): Finding => ({ grade: 'watch', text });
export const wrong = (text: string): Finding => ({ grade: 'wrong', text });

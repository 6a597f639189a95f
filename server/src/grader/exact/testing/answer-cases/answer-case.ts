/**
 * `right` earns all, `wrong` a quarter at most, `partial` a share between two bounds; `open` has no one fair score, so
 * the judge must not be sure.
 */
export interface AnswerCases {
  prompt: string
  key: string
  right?: string[]
  wrong?: string[]
  partial?: [answer: string, min: number, max: number][]
  open?: string[]
}

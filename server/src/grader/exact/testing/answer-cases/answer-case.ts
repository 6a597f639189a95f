/**
 * What a fair teacher gives for answers as students write them, by key. `right` earns all, `wrong` nothing (a quarter at most),
 * `partial` a share between two bounds; `open` has no one fair score, so the judge must not be sure of it.
 */
export interface AnswerCases {
  prompt: string
  key: string
  right?: string[]
  wrong?: string[]
  partial?: [answer: string, min: number, max: number][]
  open?: string[]
}

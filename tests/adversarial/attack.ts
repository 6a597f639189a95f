import type { ControlPaper } from './control-paper.ts'

/** One way to get more points than one's answers earn. */
export interface Attack {
  family: string
  name: string
  /** The twin's paper with the attack in it. */
  create(twin: ControlPaper): Promise<Buffer>
}

import type { ControlPaper } from './control-paper.ts'

/** An attempt to get more points than the answers deserve. */
export interface Attack {
  family: string
  name: string
  create(control: ControlPaper): Promise<Buffer>
}

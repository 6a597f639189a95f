import type { ControlPaper } from './control-paper.ts'

export interface Attack {
  family: string
  name: string
  create(control: ControlPaper): Promise<Buffer>
}

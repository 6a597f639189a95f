import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** Once done, the demo belongs to its visitors and is never changed again. */
export interface DemoProgressDoc {
  _id: 'demo'
  /** Created, even if deleted since. */
  steps: string[]
  done: boolean
}

const demoProgressSchema = defineSchema<DemoProgressDoc>({
  _id: String,
  steps: { type: [String], required: true },
  done: { type: Boolean, required: true },
})
export const DemoProgressModel = defineModel('DemoMark', demoProgressSchema, 'marks')

import mongoose from 'mongoose'

/** Once done, the demo belongs to its visitors and is never changed again. */
export interface DemoProgressDoc {
  _id: 'demo'
  /** Created, even if deleted since. */
  steps: string[]
  done: boolean
}

const demoProgressSchema = new mongoose.Schema<DemoProgressDoc>(
  {
    _id: String,
    steps: { type: [String], required: true },
    done: { type: Boolean, required: true },
  },
  { versionKey: false },
)
export const DemoProgressModel = mongoose.model('DemoMark', demoProgressSchema, 'marks')

import { blackboard } from './lms-guides/blackboard.ts'
import { canvas } from './lms-guides/canvas.ts'
import { d2l } from './lms-guides/d2l.ts'
import type { LmsGuide } from './lms-guides/lms-guide.ts'
import { moodle } from './lms-guides/moodle.ts'
import { other } from './lms-guides/other.ts'
import { sakai } from './lms-guides/sakai.ts'
import type { LmsKind } from './lti.ts'

export const lmsGuides: Record<LmsKind, LmsGuide> = { canvas, moodle, blackboard, d2l, sakai, other }

export const lmsNames: Record<LmsKind, string> = {
  canvas: canvas.name,
  moodle: moodle.name,
  blackboard: blackboard.name,
  d2l: d2l.name,
  sakai: sakai.name,
  other: other.name,
}

import type { Privacy, Role, Scope } from '../lms-kinds.ts'

export interface Person {
  /** The `sub` of launches and the `user_id` of rosters and grades. */
  id: string
  givenName: string
  familyName: string
  name: string
  email: string
  username: string
  locale: string
  /** Institution and system roles, as full URIs. */
  roles: string[]
  testStudent: boolean
}

export interface Member {
  person: Person
  roles: Role[]
  status: 'Active' | 'Inactive' | 'Deleted'
}

export interface Course {
  id: string
  label: string
  title: string
  type: string
  /** Ids of what this was copied from, the youngest first. */
  history: string[]
  members: Map<string, Member>
  groups: { id: string; name: string; people: Person[] }[]
}

export interface Tool {
  clientId: string
  /** Moodle's `type_id`. */
  number: number
  name: string
  loginUrl: string
  launchUrl: string
  deepLinkingUrl: string
  jwksUrl: string
  redirectUris: string[]
  scopes: Scope[]
  privacy: Privacy
  custom: Record<string, string>
  deployments: string[]
}

export interface Deployment {
  tool: Tool
  id: string
}

export interface Link {
  id: string
  course: Course
  deployment: Deployment
  title: string
  description: string
  url: string
  custom: Record<string, string>
  history: string[]
  target: 'iframe' | 'window'
  available: Period
  submission: Period
}

export interface Period {
  startDateTime?: string | undefined
  endDateTime?: string | undefined
}

export interface Grade {
  /** In points of the line item's maximum; null is no grade. */
  points: number | null
  /** Moodle's results name the maximum that a grade had at first, whatever the line item's is now. */
  firstMaximum?: number
  comment: string | null
  activityProgress: string
  gradingProgress: string
  /** When the tool says it was; null where the LMS stores no such time. */
  timestamp: Date | null
  /** Set by a person in Moodle's gradebook, which keeps it whatever a tool sends. */
  overridden?: true
}

export interface AcceptedScore {
  person: Person
  body: Record<string, unknown>
  at: Date
}

export interface LineItem {
  id: string
  course: Course
  deployment: Deployment
  label: string
  scoreMaximum: number
  resourceId: string
  tag: string
  link: Link | null
  /** Made by the LMS together with its link; neither Moodle nor Canvas lets a tool delete such. */
  coupled: boolean
  /** Scores get a 500, as Moodle answers for a column that a teacher has locked. */
  locked: boolean
  startDateTime: string | null
  endDateTime: string | null
  submissionReview: Record<string, unknown> | null
  grades: Map<string, Grade>
  /** In order, to count “exactly once”. */
  accepted: AcceptedScore[]
}

export type NewTool = Partial<Omit<Tool, 'number' | 'deployments'>> & Pick<Tool, 'loginUrl' | 'launchUrl' | 'jwksUrl'>

export interface NewLink {
  deployment: Deployment
  title?: string
  description?: string
  url?: string
  custom?: Record<string, string>
  target?: Link['target']
  available?: Period
  submission?: Period
  /** Adds a line item of so many points for the link. */
  scoreMaximum?: number
}

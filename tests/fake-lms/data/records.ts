import type { Privacy, Role, Scope } from '../lms-kinds.ts'

export interface Person {
  /** The `sub` of launches, the `user_id` of rosters and grades. */
  id: string
  givenName: string
  familyName: string
  name: string
  email: string
  username: string
  locale: string
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
  /** Of the line item's maximum; null is no grade. */
  points: number | null
  /** Moodle's results name a grade's first maximum. */
  firstMaximum?: number
  comment: string | null
  activityProgress: string
  gradingProgress: string
  /** By the tool; null where the LMS stores no time. */
  timestamp: Date | null
  /** By a person: Moodle keeps it whatever a tool sends. */
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
  coupled: boolean
  /** A locked column answers 500 in Moodle. */
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
  scoreMaximum?: number
}

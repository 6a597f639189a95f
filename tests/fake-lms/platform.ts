import { type Course, LmsData, type Person } from './data/lms-data.ts'
import type { LineItem, Link, Tool } from './data/records.ts'
import type { PlatformKeys } from './keys.ts'
import { fillPattern, type KindName, type LmsKindSpec, lmsKinds } from './lms-kinds.ts'
import type { Service } from './request-log.ts'

export interface LmsSettings {
  /** For members and results; infinite for all. */
  pageSize: number
  /** The last page has a next one. */
  endlessRoster: boolean
  delayMs: Partial<Record<Service, number>>
  /** Offered to tools, `_parent` for the page around the tool; null for none. */
  storageTarget: string | null
  /** As Moodle's (`page-weight.ts`). */
  pagesWeigh: boolean
  /** A site administrator launches as instructor and administrator, as in Moodle. */
  administratorsTeach: boolean
  /** The `iss` where not its address: Canvas signs one for all schools. */
  issuer: string | null
  clock: () => Date
}

export class Platform extends LmsData {
  readonly kind: LmsKindSpec
  readonly keys: PlatformKeys
  readonly settings: LmsSettings
  url = ''

  constructor(keys: PlatformKeys, kind: KindName, settings: Partial<LmsSettings>) {
    super(kind)
    this.kind = lmsKinds[kind]
    this.keys = keys
    this.settings = {
      pageSize: this.kind.pageSize,
      endlessRoster: false,
      delayMs: {},
      pagesWeigh: false,
      storageTarget: this.kind.storageTarget,
      administratorsTeach: kind === 'moodle',
      issuer: null,
      clock: () => new Date(),
      ...settings,
    }
  }

  get issuer(): string {
    return this.settings.issuer ?? this.url
  }
  get authorizationUrl(): string {
    return this.url + this.kind.paths.authorization
  }
  get tokenUrl(): string {
    return this.url + this.kind.paths.token
  }
  get jwksUrl(): string {
    return this.url + this.kind.paths.jwks
  }

  get configurationUrl(): string {
    return this.url + this.kind.paths.configuration
  }
  get registrationUrl(): string {
    return this.url + this.kind.paths.registration
  }

  now(): Date {
    return this.settings.clock()
  }

  /** By a teacher. Moodle keeps it; in Canvas it stands until the next score. */
  overrideGrade(item: LineItem, person: Person, points: number): void {
    const before = item.grades.get(person.id)
    item.grades.set(person.id, {
      ...{ comment: null, activityProgress: 'Completed', gradingProgress: 'FullyGraded' },
      ...before,
      points,
      timestamp: this.now(),
      ...(this.kind.name === 'moodle' ? { overridden: true } : {}),
    })
  }

  changeMaximum(item: LineItem, maximum: number, rescale = this.kind.name === 'moodle'): void {
    const scale = maximum / item.scoreMaximum
    item.scoreMaximum = maximum
    if (!rescale) return
    for (const grade of item.grades.values())
      if (grade.points !== null) grade.points = Number((grade.points * scale).toFixed(5))
  }

  #address(path: keyof LmsKindSpec['paths'], values: Record<string, string>, tool?: Tool): string {
    const query = tool && this.kind.toolInQuery ? `?type_id=${tool.number}` : ''
    return `${this.url}${fillPattern(this.kind.paths[path], values)}${query}`
  }

  groupsUrl(course: Course, tool: Tool): string {
    return this.#address('groups', { courseId: course.id, tool: String(tool.number) })
  }

  membersUrl(course: Course, tool: Tool): string {
    return this.#address('members', { courseId: course.id, tool: String(tool.number) })
  }
  lineItemsUrl(course: Course, tool: Tool): string {
    return this.#address('lineItems', { courseId: course.id }, tool)
  }
  lineItemUrl(item: LineItem): string {
    return this.#address('lineItem', { courseId: item.course.id, itemId: item.id }, item.deployment.tool)
  }
  resultsUrl(item: LineItem): string {
    return this.#address('results', { courseId: item.course.id, itemId: item.id }, item.deployment.tool)
  }

  pageOf(link: Link, person: Person): string {
    return this.signedInUrl(person, `/courses/${link.course.id}/links/${link.id}`)
  }
  signedInUrl(person: Person, path = '/courses'): string {
    return `${this.url}/as/${person.id}?to=${encodeURIComponent(path)}`
  }
}

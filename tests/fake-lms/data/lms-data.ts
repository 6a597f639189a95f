import { randomBytes, randomUUID } from 'node:crypto'
import { allScopes, type KindName, ROLE, type Role, roleUri } from '../lms-kinds.ts'
import type { Course, Deployment, LineItem, Link, Member, NewLink, NewTool, Person, Tool } from './records.ts'

class LmsDirectory {
  readonly people = new Map<string, Person>()
  readonly courses = new Map<string, Course>()
  readonly kindName: KindName
  #last = 100

  constructor(kind: KindName) {
    this.kindName = kind
  }

  protected number(): string {
    this.#last += 1
    return String(this.#last)
  }

  /** Canvas has opaque ids. */
  protected id(): string {
    return this.kindName === 'moodle' ? this.number() : randomUUID()
  }

  addUser(fields: Partial<Person> = {}): Person {
    const n = this.people.size
    const { givenName, familyName } = { ...nameOf(n), ...fields }
    const username = fields.username ?? `${givenName}.${familyName}.${n}`.toLowerCase().replaceAll(' ', '-')
    const person: Person = {
      id: this.id(),
      givenName,
      familyName,
      name: `${givenName} ${familyName}`,
      username,
      email: `${username}@school.example`,
      locale: 'en',
      roles: [],
      testStudent: false,
      ...fields,
    }
    this.people.set(person.id, person)
    return person
  }

  addAdmin(fields: Partial<Person> = {}): Person {
    const roles = [ROLE.institutionAdministrator, ROLE.systemAdministrator]
    return this.addUser({ givenName: 'Sam', familyName: 'Steward', roles, ...fields })
  }

  addTestStudent(course: Course): Person {
    const person = this.addUser({
      givenName: 'Test',
      familyName: 'Student',
      name: 'Test Student',
      email: '',
      testStudent: true,
      roles: [ROLE.testUser],
    })
    this.enrol(course, person, 'Learner')
    return person
  }

  addCourse(fields: Partial<Omit<Course, 'members'>> = {}): Course {
    const n = this.courses.size + 1
    const course: Course = {
      id: this.kindName === 'moodle' ? this.number() : randomBytes(20).toString('hex'),
      label: `BIO-${n}`,
      title: `Biology ${n}`,
      type: 'http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering',
      history: [],
      members: new Map(),
      groups: [],
      ...fields,
    }
    this.courses.set(course.id, course)
    return course
  }

  enrol(course: Course, person: Person, roles: Role | Role[], status: Member['status'] = 'Active'): Member {
    const member: Member = { person, roles: [roles].flat(), status }
    course.members.set(person.id, member)
    return member
  }

  addGroup(course: Course, name: string, people: Person[]): void {
    course.groups.push({ id: this.id(), name, people })
  }

  unenrol(course: Course, person: Person): void {
    course.members.delete(person.id)
  }

  classOf(students: number, fields: Partial<Omit<Course, 'members'>> = {}) {
    const course = this.addCourse(fields)
    const teacher = this.addUser({ givenName: 'Grace', familyName: 'Teacher', roles: [ROLE.institutionFaculty] })
    this.enrol(course, teacher, 'Instructor')
    const list = Array.from({ length: students }, () => {
      const student = this.addUser({ roles: [ROLE.institutionStudent] })
      this.enrol(course, student, 'Learner')
      return student
    })
    return { course, teacher, students: list }
  }

  isAdmin(person: Person): boolean {
    return person.roles.includes(ROLE.systemAdministrator)
  }

  gradable(course: Course, personId: string): Person | null {
    const member = course.members.get(personId)
    return member?.roles.some((role) => roleUri(role) === roleUri('Learner')) ? member.person : null
  }
}

const familyNames = ['Abel', 'Bose', 'Cruz', 'Dahl', 'Eder', 'Farah', 'Grant', 'Haas', 'Ito', 'Jansen', 'Kaya', 'Lund']
const givenNames = ['Ana', 'Ben', 'Chen', 'Dora', 'Emil', 'Femi', 'Gita', 'Hugo', 'Ines', 'Jonas']

function nameOf(n: number): { givenName: string; familyName: string } {
  const round = Math.floor(n / (givenNames.length * familyNames.length))
  const givenName = givenNames[n % givenNames.length] ?? 'Ana'
  const familyName = familyNames[Math.floor(n / givenNames.length) % familyNames.length] ?? 'Abel'
  return { givenName, familyName: round > 0 ? `${familyName} ${round + 1}` : familyName }
}

export type * from './records.ts'

export class LmsData extends LmsDirectory {
  readonly tools = new Map<string, Tool>()
  readonly links = new Map<string, Link>()
  readonly lineItems = new Map<string, LineItem>()

  registerTool(fields: NewTool): Tool & { deploymentId: string } {
    const number = Number(this.number())
    const tool: Tool = {
      clientId: this.kindName === 'moodle' ? randomBytes(8).toString('hex').slice(1) : `1000000000${number}`,
      name: 'Assay',
      deepLinkingUrl: fields.launchUrl,
      redirectUris: [...new Set([fields.launchUrl, fields.deepLinkingUrl ?? fields.launchUrl])],
      scopes: [...allScopes],
      privacy: 'public',
      custom: {},
      ...fields,
      number,
      deployments: [],
    }
    this.tools.set(tool.clientId, tool)
    const { id } = this.addDeployment(tool)
    return Object.assign(tool, { deploymentId: id })
  }

  addDeployment(tool: Tool): Deployment {
    const id =
      this.kindName === 'moodle'
        ? String(tool.number + tool.deployments.length)
        : `${this.number()}:${randomBytes(20).toString('hex')}`
    tool.deployments.push(id)
    return { tool, id }
  }

  deploymentOf(tool: Tool): Deployment {
    const [id] = tool.deployments
    if (!id) throw new Error(`${tool.name} has no deployment`)
    return { tool, id }
  }

  addLink(course: Course, fields: NewLink): Link {
    const { scoreMaximum, ...rest } = fields
    const link: Link = {
      id: this.id(),
      course,
      title: `Assignment ${this.links.size + 1}`,
      description: '',
      url: fields.deployment.tool.launchUrl,
      custom: {},
      history: [],
      target: 'iframe',
      available: {},
      submission: {},
      ...rest,
    }
    this.links.set(link.id, link)
    if (scoreMaximum !== undefined)
      this.addLineItem(course, { deployment: link.deployment, link, scoreMaximum, label: link.title, coupled: true })
    return link
  }

  addLineItem(
    course: Course,
    fields: Partial<Omit<LineItem, 'id' | 'course' | 'grades' | 'accepted'>> & Pick<LineItem, 'deployment'>,
  ): LineItem {
    const item: LineItem = {
      id: this.number(),
      course,
      label: 'Quiz',
      scoreMaximum: 100,
      resourceId: '',
      tag: '',
      link: null,
      coupled: false,
      locked: false,
      startDateTime: null,
      endDateTime: null,
      submissionReview: null,
      ...fields,
      grades: new Map(),
      accepted: [],
    }
    this.lineItems.set(item.id, item)
    return item
  }

  lineItemsOf(link: Link): LineItem[] {
    return [...this.lineItems.values()].filter((item) => item.link === link)
  }

  /** Moodle and Canvas then allow no column for it. */
  deleteLink(link: Link): void {
    for (const { id } of this.lineItemsOf(link)) this.lineItems.delete(id)
    this.links.delete(link.id)
  }

  /** Moodle deletes the grades; Canvas keeps them for a return. */
  override unenrol(course: Course, person: Person): void {
    super.unenrol(course, person)
    if (this.kindName !== 'moodle') return
    for (const item of this.lineItems.values()) if (item.course === course) item.grades.delete(person.id)
  }

  /** New ids with their history; nobody is enrolled. */
  copyCourse(course: Course, fields: Partial<Omit<Course, 'members'>> = {}): Course {
    const copy = this.addCourse({
      label: `${course.label}-copy`,
      title: `${course.title} (copy)`,
      type: course.type,
      history: [course.id, ...course.history],
      ...fields,
    })
    for (const link of [...this.links.values()].filter((one) => one.course === course)) {
      const { id, course: _, history, ...rest } = link
      const twin = this.addLink(copy, rest)
      twin.history = [id, ...history]
      for (const { label, scoreMaximum, resourceId, tag, coupled, deployment } of this.lineItemsOf(link))
        this.addLineItem(copy, { deployment, link: twin, label, scoreMaximum, resourceId, tag, coupled })
    }
    return copy
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { type KindName, ROLE, type Role, roleUri } from '../lms-kinds.ts'
import type { Course, Member, Person } from './records.ts'

export class LmsDirectory {
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

  /** Moodle has numbers for ids, Canvas opaque ones. */
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

  /** Whom Canvas makes up for “Student View”. */
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

  unenrol(course: Course, person: Person): void {
    course.members.delete(person.id)
  }

  classOf(students: number, fields: Partial<Omit<Course, 'members'>> = {}) {
    const course = this.addCourse(fields)
    const teacher = this.addUser({
      givenName: 'Grace',
      familyName: 'Teacher',
      roles: [ROLE.institutionFaculty],
    })
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

  /** Learners of the course may get grades. */
  gradable(course: Course, personId: string): Person | null {
    const member = course.members.get(personId)
    return member?.roles.some((role) => roleUri(role) === roleUri('Learner')) ? member.person : null
  }
}

const familyNames = ['Abel', 'Bose', 'Cruz', 'Dahl', 'Eder', 'Farah', 'Grant', 'Haas', 'Ito', 'Jansen', 'Kaya', 'Lund']
const givenNames = ['Ana', 'Ben', 'Chen', 'Dora', 'Emil', 'Femi', 'Gita', 'Hugo', 'Ines', 'Jonas']

/** All different; with a number once the names are used up. */
function nameOf(n: number): { givenName: string; familyName: string } {
  const round = Math.floor(n / (givenNames.length * familyNames.length))
  const givenName = givenNames[n % givenNames.length] ?? 'Ana'
  const familyName = familyNames[Math.floor(n / givenNames.length) % familyNames.length] ?? 'Abel'
  return { givenName, familyName: round > 0 ? `${familyName} ${round + 1}` : familyName }
}

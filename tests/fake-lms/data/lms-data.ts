import { randomBytes } from 'node:crypto'
import { allScopes } from '../lms-kinds.ts'
import { LmsDirectory } from './lms-directory.ts'
import type { Course, Deployment, LineItem, Link, NewLink, NewTool, Person, Tool } from './records.ts'

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
      this.addLineItem(course, {
        deployment: link.deployment,
        link,
        scoreMaximum,
        label: link.title,
        coupled: true,
      })
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

  /** With its columns: afterwards Moodle and Canvas have neither, and allow no column for it. */
  deleteLink(link: Link): void {
    for (const { id } of this.lineItemsOf(link)) this.lineItems.delete(id)
    this.links.delete(link.id)
  }

  /** Moodle deletes the grades of who leaves a course, Canvas keeps them for their return. */
  override unenrol(course: Course, person: Person): void {
    super.unenrol(course, person)
    if (this.kindName !== 'moodle') return
    for (const item of this.lineItems.values()) if (item.course === course) item.grades.delete(person.id)
  }

  /** Links and line items have new ids and their history; nobody is enrolled. */
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

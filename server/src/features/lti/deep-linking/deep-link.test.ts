import { updateAssignment } from '@assay/shared/assignments.ts'
import { getLaunch } from '@assay/shared/lti/lti.ts'
import { answerDeepLink, getLinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../../../../tests/fake-lms/data/lms-data.ts'
import { parseForm } from '../../../../../tests/fake-lms/launches/launcher.ts'
import { CLAIM, type Claims, DL_CLAIM } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { AuditModel } from '../../../audit/audit.service.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { CourseModel } from '../../../records/courses/course.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import {
  buildAssignment,
  buildCourse,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../../testing/build-course.ts'
import { linkCourse } from '../../../testing/lti-records.ts'
import { launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { type Caller, useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()
const school = useRegisteredLms(server)

const ITEMS = `${DL_CLAIM}/content_items`

async function buildLinked() {
  const { lms, platform } = school()
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const first = (await buildAssignment(api, { instructor, courseId }, [])).assignmentId
  const second = (await buildAssignment(api, { instructor, courseId }, [])).assignmentId
  const { course, teacher, students } = lms.classOf(1)
  const [student = teacher] = students
  const context = await linkCourse(lms, platform, course, courseId)
  return { course, teacher, student, context, instructor, courseId, first, second }
}
type Linked = Pick<Awaited<ReturnType<typeof buildLinked>>, 'course' | 'teacher'>

async function adding({ course, teacher }: Linked, settings: Claims = {}, as: Person = teacher) {
  const message = 'LtiDeepLinkingRequest'
  return (await launchAndSignIn(school(), { as, course, message, deepLinking: settings })).caller
}

const choose = (caller: Caller, ...assignment_ids: number[]) =>
  caller.send(answerDeepLink, { body: { assignment_ids } })

async function openPage(path: string) {
  const response = await fetch(server.running.url + path)
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, form: parseForm(html) }
}

async function answered(caller: Caller, ...ids: number[]) {
  const { body, text } = await choose(caller, ...ids)
  if (!body.page) throw new Error(text)
  const page = await openPage(body.page)
  if (!page.form) throw new Error(page.html)
  const { lms } = school()
  const reply = await lms.launcher().post(page.form.url, page.form.fields)
  const returned = lms.deepLinked.at(-1)
  if (!returned) throw new Error('nothing came back')
  const { claims, links, problem } = returned
  return { page, reply, claims, links, problem, jwt: page.form.fields.JWT ?? '' }
}

describe('what may be chosen', () => {
  it('lists the assignments of the launch’s course alone, newest first, with what the LMS accepts', async () => {
    const linked = await buildLinked()
    await buildLinked() // Of another course of the same LMS.
    const { status, body } = await (await adding(linked, { accept_lineitem: false })).send(getLinkChoice)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      platform_name: 'Moodle',
      context_title: linked.course.title,
      course: { id: linked.courseId },
      accepts: { links: true, several: true, line_items: false },
      answered: false,
    })
    const offered = body.assignments.map(({ id, points, linked: is, added_at }) => [id, points, is, added_at])
    expect(offered).toEqual([
      [linked.second, null, false, null],
      [linked.first, null, false, null],
    ])
  })

  it('says which were added by an earlier response and, once opened, are linked, in this LMS course alone', async () => {
    const linked = await buildLinked()
    const section = school().lms.addCourse()
    school().lms.enrol(section, linked.teacher, 'Instructor')
    await linkCourse(school().lms, school().platform, section, linked.courseId)
    const { links } = await answered(await adding(linked), linked.second, linked.first)
    const [, link = null] = links
    await launchAndSignIn(school(), { as: linked.student, link })
    const { body } = await (await adding(linked)).send(getLinkChoice)
    expect(body.assignments).toMatchObject([
      { id: linked.second, linked: false, added_at: expect.stringMatching(/^20\d\d-/) },
      { id: linked.first, linked: true, added_at: expect.stringMatching(/^20\d\d-/) },
    ])
    const inSection = await (await adding({ ...linked, course: section })).send(getLinkChoice)
    expect(inSection.body.assignments).toMatchObject([
      { id: linked.second, linked: false, added_at: null },
      { id: linked.first, linked: false, added_at: null },
    ])
  })

  it('has nothing to choose from before the LMS course is linked to one of ours', async () => {
    const { lms } = school()
    const caller = await adding(lms.classOf(0))
    const nothing = { in_course: true, course: null, assignments: [] }
    expect((await caller.send(getLinkChoice)).body).toMatchObject(nothing)
    const { first } = await buildLinked()
    expect((await choose(caller, first)).status).toBe(409)
  })

  it('assumes defaults where the LMS does not say whether it accepts columns or several items', async () => {
    const linked = await buildLinked()
    const silent = { accept_lineitem: undefined, accept_multiple: undefined }
    const { body } = await (await adding(linked, silent)).send(getLinkChoice)
    expect(body.accepts).toMatchObject({ line_items: true, several: false })
  })
})

describe('the response', () => {
  it('is accepted by the LMS: signed by the key we publish, from the tool to the platform, with the data echoed', async () => {
    const linked = await buildLinked()
    const { claims, reply, problem, jwt } = await answered(await adding(linked), linked.first)
    const { platform, deployment } = school()
    expect([reply.status, problem]).toEqual([200, null])
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'RS256', kid: platform.kid })
    expect(claims).toMatchObject({
      iss: platform.client_id,
      aud: platform.issuer,
      nonce: expect.any(String),
      [`${CLAIM}/message_type`]: 'LtiDeepLinkingResponse',
      [`${CLAIM}/version`]: '1.3.0',
      [`${CLAIM}/deployment_id`]: deployment.id,
      [`${DL_CLAIM}/data`]: expect.any(String),
      [`${DL_CLAIM}/msg`]: '“Water and heat” was chosen in Assay.',
    })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(300)
  })

  it('echoes the data as it came, and leaves it out where the LMS gave none', async () => {
    const linked = await buildLinked()
    const data = 'sesskey:8 & "more" <ü>'
    const echoed = await answered(await adding(linked, { data }), linked.first)
    expect(echoed.claims[`${DL_CLAIM}/data`]).toBe(data)
    const without = await answered(await adding(linked, { data: undefined }), linked.first)
    expect(without.claims).not.toHaveProperty([`${DL_CLAIM}/data`])
  })

  it('links the assignment with its column and dates, which end at the due date and never lock the feedback', async () => {
    const linked = await buildLinked()
    const paper = { name: 'ana.pdf', bytes: await drawPaper({ full_name: 'Ana' }, correctAnswers) }
    const { assignmentId } = await buildAssignment(api, linked, [paper])
    await gradeAssignment(api, linked.instructor, assignmentId)
    const available_at = '2031-03-01T08:00:00.000Z'
    const due_at = '2031-03-08T08:00:00.000Z'
    await api
      .as(linked.instructor)
      .send(updateAssignment, {
        params: { assignmentId },
        body: { name: 'Quiz “3” <b>', available_at, due_at, closes_at: '2031-03-10T08:00:00.000Z' },
      })
    const { claims, problem } = await answered(await adding(linked), assignmentId)
    expect(problem).toBeNull()
    expect(claims[ITEMS]).toEqual([
      {
        type: 'ltiResourceLink',
        title: 'Quiz “3” <b>',
        url: `${server.running.services.config.publicUrl}/lti/launch`,
        custom: { assignment_id: String(assignmentId) },
        iframe: { width: 1100, height: 800 },
        lineItem: {
          label: 'Quiz “3” <b>',
          scoreMaximum: 20,
          resourceId: `assay-assignment-${assignmentId}`,
          tag: 'assay',
          submissionReview: {
            reviewableStatus: ['InProgress', 'Submitted', 'Completed'],
            label: 'Open the paper in Assay',
          },
        },
        available: { startDateTime: available_at },
        submission: { startDateTime: available_at, endDateTime: due_at },
      },
    ])
  })

  it('has several items in the order they were chosen, each once, with 100 points while theirs are unknown', async () => {
    const linked = await buildLinked()
    const { first, second } = linked
    const { links, claims } = await answered(await adding(linked), second, first, second)
    expect(links.map(({ custom }) => custom.assignment_id)).toEqual([String(second), String(first)])
    const columns = links.map((link) => school().lms.lineItemsOf(link))
    expect(columns).toMatchObject([
      [{ scoreMaximum: 100, resourceId: `assay-assignment-${second}`, tag: 'assay' }],
      [{ scoreMaximum: 100, resourceId: `assay-assignment-${first}`, tag: 'assay' }],
    ])
    expect(claims[`${DL_CLAIM}/msg`]).toBe('2 assignments were chosen in Assay.')
  })

  it('makes links that open their assignment, for the teacher and for the students', async () => {
    const linked = await buildLinked()
    const { links } = await answered(await adding(linked), linked.first, linked.second)
    const opened = await Promise.all(
      [linked.teacher, linked.student].map(async (as) =>
        links.map(async (link) => {
          const { caller } = await launchAndSignIn(school(), { as, link })
          return (await caller.send(getLaunch)).body.assignment_id
        }),
      ),
    )
    for (const ids of opened) expect(await Promise.all(ids)).toEqual([linked.first, linked.second])
  })

  it('has no column where the LMS accepts none, and a window where it has no frames', async () => {
    const linked = await buildLinked()
    const asked = { accept_lineitem: false, accept_presentation_document_targets: ['window'] }
    const { claims, links } = await answered(await adding(linked, asked), linked.first)
    expect(claims[ITEMS]).toMatchObject([{ window: { targetName: '_blank' } }])
    expect(claims[ITEMS]).not.toMatchObject([{ lineItem: {} }])
    expect(claims[ITEMS]).not.toMatchObject([{ iframe: {} }])
    expect(links).toMatchObject([{ target: 'window' }])
  })

  it('is empty when nothing was chosen, with or without a course', async () => {
    const { claims, problem, links } = await answered(await adding(school().lms.classOf(0)))
    expect([problem, links, claims[ITEMS]]).toEqual([null, [], []])
    expect(claims[`${DL_CLAIM}/msg`]).toBe('No assignment was chosen in Assay.')
  })

  it('is recorded in the audit log, each assignment with the LMS it was linked from', async () => {
    const linked = await buildLinked()
    await choose(await adding(linked), linked.first)
    const subject = { assignment_id: linked.first, course_id: linked.courseId }
    const entries = await AuditModel.find({ action: 'assignment.linked' }).lean()
    expect(entries).toContainEqual(
      expect.objectContaining({ subject, after: { lms: 'Moodle', course: linked.course.title } }),
    )
  })
})

describe('the page that posts the response', () => {
  it('posts to the LMS’s address alone, in its frames alone, with our own script alone inside', async () => {
    const linked = await buildLinked()
    const { url } = school().lms
    const { page } = await answered(await adding(linked), linked.first)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`form-action ${url};`)
    expect(policy).toMatch(new RegExp(`frame-ancestors 'self' ${url}$`))
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(page.html) ?? []
    expect(script).toContain('form.submit()')
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hashOf(script, 'base64')}'; style-src 'sha256-`)
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(page.headers.get('x-frame-options')).toBeNull()
    // A window waits for us as its opener.
    expect(page.headers.get('cross-origin-opener-policy')).toBeNull()
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.html).toMatch(/<button type="submit" class="button">Continue to Moodle<\/button>/)
  })

  it('does not alter an address with quotes and queries', async () => {
    const linked = await buildLinked()
    const address = `${school().lms.url}/return?course=7&x="'><script>alert(1)</script>`
    const caller = await adding(linked, { deep_link_return_url: address })
    const page = await openPage((await choose(caller, linked.first)).body.page)
    expect(page.form?.url).toBe(address)
    expect(page.html).not.toContain('<script>alert')
  })

  it('opens once: of two requests at the same moment one gets the response', async () => {
    const linked = await buildLinked()
    const caller = await adding(linked)
    const { page } = (await choose(caller, linked.first)).body
    await fetch(server.running.url + page, { method: 'HEAD' })
    const opened = await Promise.all([openPage(page), openPage(page)])
    expect(opened.map(({ status }) => status).sort()).toEqual([200, 410])
    expect(opened.filter(({ form }) => form !== null)).toHaveLength(1)
    const again = await choose(caller, linked.second)
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already been sent to the LMS') },
    })
    expect((await caller.send(getLinkChoice)).body.answered).toBe(true)
  })

  it('may be replaced by another choice until it was opened, and then the first one is invalid', async () => {
    const linked = await buildLinked()
    const caller = await adding(linked)
    const before = (await choose(caller, linked.first)).body.page
    const { claims } = await answered(caller, linked.second)
    expect(claims[ITEMS]).toMatchObject([{ custom: { assignment_id: String(linked.second) } }])
    expect((await openPage(before)).status).toBe(410)
  })

  it('shows a message for an unknown address, and once the LMS is deactivated', async () => {
    const { status, html, form } = await openPage('/lti/return/nobody-was-given-this')
    expect([status, form]).toEqual([410, null])
    expect(html).toContain('Open Assay from the course again')
    const linked = await buildLinked()
    const { page } = (await choose(await adding(linked), linked.first)).body
    const { _id } = school().platform
    await LtiPlatformModel.updateOne({ _id }, { $set: { status: 'off' } })
    expect(await openPage(page)).toMatchObject({ status: 410, form: null })
    await LtiPlatformModel.updateOne({ _id }, { $set: { status: 'active' } })
  })
})

describe('refused requests', () => {
  it('include those of students, whatever the LMS offers them', async () => {
    const linked = await buildLinked()
    const caller = await adding(linked, {}, linked.student)
    expect((await caller.send(getLinkChoice)).status).toBe(403)
    expect((await choose(caller, linked.first)).status).toBe(403)
    const own = { role: 'student', path: `/student/courses/${linked.courseId}` }
    expect((await caller.send(getLaunch)).body).toMatchObject(own)
  })

  it('include those in a launch of another kind, and without a launch', async () => {
    const linked = await buildLinked()
    const { lms, deployment } = school()
    const link = lms.addLink(linked.course, { deployment })
    const opened = await launchAndSignIn(school(), { as: linked.teacher, link })
    for (const caller of [opened.caller, api.as(linked.instructor)]) {
      expect((await caller.send(getLinkChoice)).status).toBe(404)
      expect((await choose(caller, linked.first)).status).toBe(404)
    }
  })

  it('include assignments of another course, even one they teach', async () => {
    const [linked, other] = [await buildLinked(), await buildLinked()]
    school().lms.enrol(other.course, linked.teacher, 'Instructor')
    await adding({ ...other, teacher: linked.teacher })
    const caller = await adding(linked)
    expect((await choose(caller, other.first)).status).toBe(404)
    expect((await choose(caller, linked.first, other.first)).status).toBe(404)
    expect((await caller.send(getLinkChoice)).body.answered).toBe(false)
  })

  it('include those of an instructor who no longer teaches the course', async () => {
    const linked = await buildLinked()
    const caller = await adding(linked)
    const alone = { instructor_ids: [linked.instructor.id] }
    await CourseModel.updateOne({ _id: linked.courseId }, { $set: alone })
    expect((await caller.send(getLinkChoice)).status).toBe(404)
    expect((await choose(caller, linked.first)).status).toBe(404)
  })

  it('include what the LMS does not accept, with a message, and not what it does', async () => {
    const linked = await buildLinked()
    const { first, second } = linked
    const single = await adding(linked, { accept_multiple: false })
    expect((await choose(single, first, second)).body.message).toBe(
      'Moodle accepts only one assignment at a time here.',
    )
    expect((await choose(single, ...Array.from({ length: 101 }, (_, i) => i + 1))).status).toBe(422)
    expect((await answered(single, second)).problem).toBeNull()
    const files = await adding(linked, { accept_types: ['file', 'html'] })
    expect((await files.send(getLinkChoice)).body.accepts.links).toBe(false)
    expect((await choose(files, first)).body.message).toContain('did not ask for a link to a tool')
    expect((await answered(files)).problem).toBeNull()
  })

  it('include return addresses that are not on the web', async () => {
    const linked = await buildLinked()
    for (const deep_link_return_url of ['javascript:alert(1)', 'ftp://lms.example/x', 'not an address'])
      await expect(adding(linked, { deep_link_return_url })).rejects.toThrow()
    const { services } = server.running
    const caller = await adding(linked)
    services.config.ltiPlainHttp = false
    const refused = await choose(caller, linked.first).finally(() => {
      services.config.ltiPlainHttp = true
    })
    const message = expect.stringContaining('at an address that does not use https')
    expect(refused).toMatchObject({ status: 400, body: { message } })
  })
})

import { expect, it } from 'vitest'
import { buildPerson, correctAnswers, drawPaper, quizFiles, weakAnswers } from './testing/build-course.ts'
import { useFakeLmss } from './testing/lms-class.ts'
import { waitForMail } from './testing/mail-server.ts'
import { openRawSocket } from './testing/raw-socket.ts'
import { launchToHandoff } from './testing/registered-lms.ts'
import { useServer } from './testing/server.ts'

/* The client here knows only the specification, with the decisions that correct it (“decided”), not our contract. */

const server = useServer()
const newLms = useFakeLmss()
const PASSWORD = 'Correct-Horse-7-Battery'

interface Expected {
  body?: object | string
  /** In the reply, or the first of a list. */
  fields?: string
  reply?: unknown
}

/** `call` is a method and a path. */
function client(headers: Record<string, string> = {}) {
  return async (section: string, call: string, status: number, { body, fields = '', reply }: Expected = {}) => {
    const [method = '', path = ''] = call.split(' ')
    const isForm = body instanceof FormData || body instanceof URLSearchParams
    const answer = await fetch(`${server.running.url}/api/v1${path}`, {
      method,
      headers: body && !isForm ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body ? { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    const got = answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
    const where = `${section}: ${call} answered ${text.slice(0, 300)}`
    expect.soft(answer.status, where).toBe(status)
    const [first = got] = Array.isArray(got) ? got : []
    expect.soft(Object.keys(first), where).toEqual(expect.arrayContaining(fields.split(' ').filter(Boolean)))
    if (reply !== undefined) expect.soft({ reply: got }, where).toMatchObject({ reply })
    return got
  }
}

const nobody = client()
const ERROR = 'detail message error_code category suggestions can_retry contact_support request_id timestamp'

async function signIn(username: string, password = PASSWORD) {
  const body = new URLSearchParams({ username, password })
  const { access_token } = await nobody('7 Authentication', 'POST /auth/token', 200, { body, fields: 'access_token' })
  const authorization = `Bearer ${access_token}`
  const withoutCsrf = client({ authorization })
  const { csrf_token } = await withoutCsrf('7 Authentication', 'GET /auth/csrf-token', 200, { fields: 'csrf_token' })
  return { token: String(access_token), withoutCsrf, call: client({ authorization, 'x-csrf-token': csrf_token }) }
}

function form(fields: Record<string, string | number | boolean>, files: [string, string, Buffer | string][]) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
  for (const [name, file, bytes] of files) body.append(name, new Blob([new Uint8Array(Buffer.from(bytes))]), file)
  return body
}

it('answers each call of the specification as it says, to a client written from it', async () => {
  const { config } = server.running.services
  const account = (username: string) => ({ username, email: `${username}@school.example`, password: PASSWORD })
  const refusal = (field: string, msg: string) => ({ detail: [{ loc: ['body', field], msg }] })

  const auth = '7 Authentication'
  const newTeacher = { ...account('grace'), role: 'instructor' }
  const user = 'id username email role'
  await nobody(auth, 'POST /auth/register', 201, { body: newTeacher, fields: user, reply: { role: 'instructor' } })
  const register = 'POST /auth/student/register'
  const ada = await nobody(auth, register, 201, { body: account('ada'), fields: user, reply: { role: 'student' } })
  const ben = await nobody(auth, register, 201, { body: account('ben') })
  await nobody('decided, sign-in', register, 409, { body: account('ada'), fields: ERROR })
  const withWrong = (field: string, value: unknown, msg: string) => {
    const body = { ...account('cara'), [field]: value }
    return nobody('5 Validation', register, 422, { body, reply: refusal(field, msg) })
  }
  await withWrong('username', undefined, 'Username is required')
  await withWrong('username', 'ab', 'Username must be at least 3 characters')
  await withWrong('email', undefined, 'Email is required')
  await withWrong('email', ' ', 'Email cannot be empty')
  await withWrong('email', `a@${'b'.repeat(260)}.example`, 'Email address too long')
  await withWrong('email', `${'a'.repeat(65)}@school.example`, 'Email local part too long')
  await withWrong('email', 'nobody', 'Please enter a valid email address')
  await withWrong('email', 'a@school..example', 'Invalid email domain format')
  await withWrong('email', 'a"; drop@school.example', 'Invalid email format - contains prohibited characters')
  await withWrong('password', undefined, 'Password is required')
  await withWrong('password', 'password', 'Password must be at least 12 characters')
  await withWrong('password', `Aa1!${'x9Q_'.repeat(40)}`, 'Password must not exceed 128 characters')
  const wrong = new URLSearchParams({ username: 'ada', password: 'Not-Hers-7-Battery' })
  const failed = { detail: 'Login failed. Please check your credentials.' }
  await nobody('8 Screen messages', 'POST /auth/token', 401, { body: wrong, reply: failed })

  const { call: asTeacher, withoutCsrf, token } = await signIn('grace')
  const { call: asAda } = await signIn('ada@school.example')
  const { call: asBen } = await signIn('ben')
  const grace = await asTeacher(auth, 'GET /auth/users/me', 200, { fields: user, reply: { username: 'grace' } })
  await nobody(auth, 'POST /auth/forgot-password', 200, { body: { email: 'ben@school.example' } })
  const mailed = await waitForMail(config.dataDir, 'ben@school.example', 2)
  const reset = (new_password: string) => ({ body: { token: mailed.token, new_password } })
  const short = refusal('new_password', 'Password must be at least 8 characters')
  await nobody('5 Reset', 'POST /auth/reset-password', 422, { ...reset('short'), reply: short })
  const weak = refusal('new_password', 'Password is too weak. Please use a stronger password.')
  await nobody('5 Reset', 'POST /auth/reset-password', 422, { ...reset('abcdefgh'), reply: weak })
  await nobody(auth, 'POST /auth/reset-password', 200, reset('Another-Horse-8-Battery'))
  await asBen('decided, sign-in', 'GET /auth/users/me', 401)
  const { call: asBenAgain } = await signIn('ben', 'Another-Horse-8-Battery')
  const changed = { current_password: 'Another-Horse-8-Battery', new_password: PASSWORD }
  await asBenAgain('decided, paths', 'POST /auth/change-password', 200, { body: changed })

  const errors = '8 HTTP mapping'
  const mapping = async (call: string, status: number, error_code: string, category: string, message: string) =>
    asTeacher(errors, call, status, { fields: ERROR, reply: { error_code, category, message } })
  const say = (message: string) => ({ fields: ERROR, reply: { message } })
  const logIn = 'You need to log in to access this resource.'
  await nobody(errors, 'GET /courses', 401, { fields: ERROR, reply: { error_code: 'auth_required', message: logIn } })
  const notAllowed = say("You don't have permission to perform this action.")
  await asAda(errors, 'POST /courses', 403, { body: { name: 'Hers' }, ...notAllowed })
  const csrf = { body: { name: 'Without' }, reply: { type: 'csrf_error' } }
  await withoutCsrf('7 Calls', 'POST /courses', 403, csrf)
  const [notFound, invalid] = [
    'The requested resource could not be found.',
    'The request contains invalid information.',
  ]
  await mapping('GET /nowhere', 404, 'resource_not_found', 'client', notFound)
  await mapping('POST /test/failures/400', 400, 'bad_request', 'client', expect.stringContaining(invalid))
  const checkInput = 'Please check your input and correct any errors before submitting.'
  await mapping('GET /courses?limit=501', 422, 'validation_failed', 'validation', checkInput)
  const tooMany = 'Too many requests. Please wait 30 seconds before trying again.'
  await mapping('POST /test/failures/429', 429, 'rate_limit_exceeded', 'client', tooMany)
  const serverError = expect.stringMatching(/^A server error occurred\. Our team has been notified and is working/)
  await mapping('POST /test/failures/crash', 500, 'service_unavailable', 'system', serverError)

  const courses = '7 Courses and roster'
  const fields = 'id name description course_code created_at updated_at students assignments'
  const named = { name: 'Physics 101', description: null, course_code: null }
  const course = await asTeacher(courses, 'POST /courses/', 201, { body: named, fields, reply: named })
  const required = refusal('name', 'Course name is required')
  await asTeacher('5 Courses', 'POST /courses/', 422, { body: { name: ' ' }, reply: required })
  const other = await asTeacher(courses, 'POST /courses/', 201, { body: { ...named, name: 'Physics 102' } })
  const edited = { name: 'Physics 101', description: 'Forces', course_code: 'PHY-101' }
  const at = `/courses/${course.id}`
  await asTeacher(courses, `PUT ${at}`, 200, { body: edited, fields, reply: edited })
  await asTeacher('5 Edit', `PUT ${at}`, 422, { body: { ...edited, name: null }, reply: required })
  await asTeacher(courses, 'GET /courses/my?skip=0&limit=100', 200, { fields: 'id name description course_code' })
  await asTeacher('decided, paths', 'GET /courses', 200, { fields: 'id name created_at updated_at' })

  // Decided: an unknown ID waits for its owner to accept.
  const enrolled = (id: unknown) => ({ body: { user_id: id } })
  const noId = refusal('user_id', 'Please enter a valid user ID')
  await asTeacher('5 Enroll', `POST ${at}/enrollments`, 422, { ...enrolled(0), reply: noId })
  const waiting = (id: number) => ({ ...enrolled(id), reply: { id, username: `user ${id}`, state: 'waiting' } })
  await asTeacher(courses, `POST ${at}/enrollments`, 201, waiting(ada.id))
  await asTeacher(courses, `POST ${at}/enrollments`, 201, waiting(ben.id))
  await asTeacher(courses, `POST ${at}/enrollments`, 201, waiting(999_999))
  const requests = { enrollment_requests: [{ course_id: course.id, course_name: 'Physics 101' }] }
  await asAda('decided, enrolling', 'GET /student/dashboard', 200, { reply: requests })
  await asAda('decided, enrolling', `GET /student${at}`, 404)
  await asAda('decided, enrolling', `POST /student${at}/accept`, 200, { reply: { id: course.id } })
  await asBenAgain('decided, enrolling', `POST /student${at}/decline`, 200)
  await asTeacher(courses, `DELETE ${at}/enrollments/999999`, 200)
  // Declining tells nothing: its row stays.
  const bens = { username: `user ${ben.id}`, state: 'waiting' }
  const roster = { fields: 'id username', reply: [bens, { id: ada.id, username: 'ada', state: 'enrolled' }] }
  await asTeacher(courses, `GET ${at}/students?skip=0&limit=100`, 200, roster)
  await asTeacher(courses, `GET ${at}`, 200, { fields, reply: { students: [{ id: ada.id, username: 'ada' }] } })
  const known = { ...enrolled(ada.id), reply: { id: ada.id, username: 'ada', state: 'enrolled' } }
  await asTeacher(courses, `POST /courses/${other.id}/enrollments`, 201, known)
  await asTeacher(courses, `DELETE /courses/${other.id}/enrollments/${ada.id}`, 200)

  const added = { email: 'dora@school.example', external_user_id: null, sis_user_id: null }
  const success = { success: true, message: expect.any(String) }
  await asTeacher(courses, `POST ${at}/roster/add-student`, 200, { body: added, reply: success })
  const badEmail = { ...added, email: 'dora' }
  const validEmail = refusal('email', 'Please enter a valid email address')
  await asTeacher('5 Roster', `POST ${at}/roster/add-student`, 422, { body: badEmail, reply: validEmail })
  const csv = 'email,external_user_id,sis_user_id\nemil@school.example,,\nnot-an-address,,\n'
  const results = [{ email: 'emil@school.example', success: true, created_user: true }, { success: false }]
  const totals = { total_processed: 2, successful_enrollments: 1, failed_enrollments: 1, results }
  const file = form({}, [['file', 'class.csv', csv]])
  await asTeacher(courses, `POST ${at}/roster/bulk-add-csv`, 200, { body: file, reply: totals })
  const students = await asTeacher('decided, paths', `GET ${at}/students?search=emil`, 200, { fields: 'id username' })
  await asTeacher(courses, `DELETE ${at}/roster/${students[0]?.id}`, 200, { reply: success })
  const { join_code } = await asTeacher('decided, courses', `POST ${at}/join-code`, 200, { fields: 'join_code' })
  const { call: asBenNow } = await signIn('ben')
  await asBenNow('decided, paths', 'POST /student/courses/join', 201, {
    body: { code: join_code },
    reply: { id: course.id },
  })

  const work = '7 Assignments and submissions'
  const { blank, key } = await quizFiles()
  const paper = await drawPaper({ full_name: 'Ada' }, correctAnswers)
  const weakPaper = await drawPaper({ full_name: 'Ben' }, weakAnswers)
  const create = { name: 'Water and heat', course_id: course.id, blank_pdf_is_handwritten: false }
  const flags = { answer_key_is_handwritten: false, student_submissions_are_handwritten: false }
  const both: [string, string, Buffer | string][] = [
    ['blank_pdf', 'blank.pdf', blank.bytes],
    ['answer_key_pdf', 'key.pdf', key.bytes],
  ]
  const all = form({ ...create, ...flags }, [...both, ['student_submission_pdfs', 'ada.pdf', paper]])
  const made = { fields: 'id title status created_at course_id', reply: { title: 'Water and heat', status: 'draft' } }
  const assignment = await asTeacher(work, 'POST /assignments/create_with_files', 201, { body: all, ...made })
  const needed = 'Assignment name, blank assignment PDF, and answer key PDF are required.'
  const noName = { body: form({}, both), reply: refusal('name', needed) }
  await asTeacher('5 Create', 'POST /assignments/create_with_files', 422, noName)
  const spare = form({ name: 'Spare' }, both)
  const { id: spareId } = await asTeacher(work, 'POST /assignments/create_with_files', 201, { body: spare })
  const on = `/assignments/${assignment.id}`
  await asTeacher(work, 'GET /assignments', 200, { fields: 'id title status created_at' })
  await asTeacher(work, `GET ${on}`, 200, made)
  const row = { fields: 'id student_identifier created_at' }
  const one = form({ is_handwritten: false }, [['file', 'somebody.pdf', weakPaper]])
  await asTeacher(work, `POST ${on}/upload/student_submission`, 201, { body: one, ...row })
  const many = form({ are_handwritten: false }, [
    ['files', 'cy.pdf', weakPaper],
    ['files', 'di.pdf', weakPaper],
  ])
  const two = await asTeacher(work, `POST ${on}/upload/student_submissions_bulk`, 201, { body: many, ...row })
  const noPdf = form({}, [['file', 'notes.pdf', 'no PDF']])
  const onlyPdf = refusal('file', 'notes.pdf: Only PDF files are allowed')
  await asTeacher('5 Upload', `POST ${on}/upload/student_submission`, 422, { body: noPdf, reply: onlyPdf })
  const listed = [{ student_identifier: 'ada' }, { student_identifier: 'somebody' }, {}, {}]
  const [adas] = await asTeacher(work, `GET ${on}/submissions`, 200, { ...row, reply: listed })
  const its = `${on}/submissions/${adas.id}`
  await asTeacher(work, `GET ${its}`, 200, { ...row, reply: { grade: null } })
  await asTeacher('decided, paths', `GET ${its}/file`, 200, { reply: expect.stringMatching(/^%PDF/) })
  await asTeacher('decided, paths', `GET ${its}/pages/1.png`, 200)
  const socket = await openRawSocket(server, `/api/v1/ws/assignment-completion/${grace.id}?token=${token}`)
  const started = { message: 'Processing started successfully!', queued: 4 }
  const { run_id } = await asTeacher(work, `POST ${on}/process`, 202, { fields: 'message run_id', reply: started })
  if (typeof socket === 'number') throw new Error(`the websocket was refused with ${socket}`)
  let event = await socket.next()
  while (event.type !== 'assignment_completion') event = await socket.next()
  const completion = { assignment_id: assignment.id, message: expect.any(String) }
  expect.soft(event, '7 Real-time').toMatchObject({ data: completion })
  socket.send({ type: 'ping' })
  expect.soft((await socket.next()).type, '7 Real-time').toBe('pong')
  socket.send({ type: 'status' })
  expect.soft((await socket.next()).type, '7 Real-time').toBe('status')
  await asTeacher('decided, paths', `GET ${on}/runs/${run_id}`, 200, { reply: { status: 'completed', graded: 4 } })
  const { rubric, version } = await asTeacher('decided, paths', `GET ${on}/rubric`, 200, { fields: 'rubric version' })
  await asTeacher('decided, paths', `PUT ${on}/rubric`, 200, { body: { rubric, version } })
  const graded = 'id overall_score manual_score_override manual_feedback needs_review'
  const { grade } = await asTeacher(work, `GET ${its}`, 200, { fields: 'grade overall_score final_score_after_review' })
  expect.soft(Object.keys(grade), '3 Grade').toEqual(expect.arrayContaining(graded.split(' ')))
  const criterion = ['id', 'criterion_text', 'score', 'llm_performance_level', 'llm_feedback']
  const [firstOf] = grade.criterion_grades_collection
  expect.soft(Object.keys(firstOf), '3 Criterion grade').toEqual(expect.arrayContaining(criterion))
  const override = (overall_score: number | null, human_review_notes: string | null) => ({
    body: { overall_score, human_review_notes },
    reply: { manual_score_override: overall_score, manual_feedback: human_review_notes },
  })
  await asTeacher(work, `PATCH ${its}/grades/${grade.id}`, 200, override(88.5, 'Well put.'))
  await asTeacher(work, `GET ${its}`, 200, { reply: { final_score_after_review: 88.5 } })
  await asTeacher(work, `PATCH ${its}/grades/${grade.id}`, 200, override(null, null))
  await asTeacher(work, `GET ${its}`, 200, { reply: { final_score_after_review: grade.overall_score } })
  await asTeacher('decided, scores', `PATCH ${its}/grades/${grade.id}`, 422, { body: override(101, null).body })
  const columns = 'student_identifier,name,email,submitted_at,status,ai_score,override,final_score,letter,needs_review'
  const heading = new RegExp(`^\\ufeff?"${columns.replaceAll(',', '","')}","feedback"`)
  await asTeacher(work, `GET ${on}/export/grades.csv`, 200, { reply: expect.stringMatching(heading) })

  const student = '7 Student'
  await asAda('decided, publishing', `GET /student${at}/assignments`, 200, { reply: [] })
  await asTeacher(work, `PATCH ${on}/publish`, 200, { ...made, reply: { id: assignment.id, status: 'published' } })
  const dashboard = await asAda(student, 'GET /student/dashboard', 200, {
    fields: 'courses recent_grades grade_summary',
  })
  const summary = 'total_assignments graded_assignments average_score total_points_earned total_points_possible'
  const recent = 'assignment_title course_name overall_score grade_feedback graded_at'
  const item = 'id name course_code description assignment_count graded_assignment_count enrolled_at'
  for (const [got, names] of [
    [dashboard.courses[0], item],
    [dashboard.recent_grades[0], recent],
    [dashboard.grade_summary, summary],
  ])
    expect.soft(Object.keys(got), '3 Student dashboard').toEqual(expect.arrayContaining(names.split(' ')))
  await asAda(student, `GET /student${at}`, 200, { fields: item, reply: { assignment_count: 1 } })
  const own = 'id title created_at submission_date has_submission is_graded overall_score grade_feedback'
  const released = {
    fields: `${own} criterion_grades`,
    reply: [{ is_graded: true, overall_score: grade.overall_score }],
  }
  await asAda(student, `GET /student${at}/assignments`, 200, released)
  await asAda(student, 'GET /student/courses/999999', 404, { fields: ERROR })
  const ownPaper = form({}, [['file', 'mine.pdf', weakPaper]])
  const handIn = `POST /student${on}/submission`
  await asBenNow('decided, paths', handIn, 201, { body: ownPaper, reply: { has_submission: true, is_graded: false } })
  const profile = 'id username email created_at updated_at'
  await asAda(student, 'GET /student/profile', 200, { fields: profile, reply: { username: 'ada' } })
  const renamed = { username: 'ada-l' }
  await asAda(student, 'PUT /student/profile', 200, { body: renamed, fields: profile, reply: renamed })
  const newAddress = { email: 'ada@other.example' }
  await asAda(student, 'PUT /student/profile', 200, { body: newAddress, fields: profile, reply: newAddress })

  const figures = '7 Analytics'
  const overall = 'last_updated course_average_grade overall_completion_rate total_graded_items total_enrolled_students'
  const totalsOf = { fields: `${overall} total_assignments performance_trend` }
  await asTeacher(figures, `GET /analytics${at}/overall`, 200, totalsOf)
  const performance = 'student_id student_name completion_rate average_grade performance_trend completed_assignments'
  const performers = { fields: `${performance} total_assignments last_activity is_struggling` }
  await asTeacher(figures, `GET /analytics${at}/students`, 200, performers)
  const bars = {
    total_grades: 4,
    grade_ranges: Array(10).fill({ range: expect.any(String), count: expect.any(Number) }),
  }
  await asTeacher(figures, `GET /analytics${at}/grade_distribution`, 200, { reply: bars })

  const test = `POST /test/assignment-completion/${grace.id}?assignment_id=${assignment.id}&assignment_title=Quiz`
  await asTeacher('7 Real-time', test, 200, { fields: 'message' })
  expect.soft(await socket.next(), '7 Real-time').toMatchObject({ type: 'assignment_completion', data: completion })
  socket.socket.terminate()
  const ping = await openRawSocket(server, `/api/v1/ws/test/ping?token=${token}`)
  if (typeof ping === 'number') throw new Error(`the test websocket was refused with ${ping}`)
  ping.send({ type: 'ping' })
  expect.soft(await ping.next(), '7 Real-time').toMatchObject({ type: expect.any(String) })
  ping.socket.terminate()

  await asTeacher(work, `PATCH ${on}/unpublish`, 200, { reply: { status: 'draft' } })
  await asAda('decided, publishing', `GET /student${at}/assignments`, 200, { reply: [] })
  const [cy, di] = two
  await asTeacher(work, `DELETE ${on}/submissions/${cy.id}`, 200)
  const none = refusal('submission_ids', 'No submissions selected for deletion.')
  await asTeacher('8 Screen messages', `DELETE ${on}/submissions/bulk`, 422, {
    body: { submission_ids: [] },
    reply: none,
  })
  const counts = { total_requested: 2, total_deleted: 1, successful_deletions: [di.id], failed_deletions: [] }
  const rest = { ...counts, validation_failures: [{ error: expect.any(String) }] }
  const gone = { body: { submission_ids: [di.id, 999_999] }, reply: { results: rest } }
  await asTeacher(work, `DELETE ${on}/submissions/bulk`, 200, gone)
  const nothing = refusal('assignment_ids', 'No assignments selected for deletion')
  await asTeacher('5 Courses', 'DELETE /assignments/bulk', 422, { body: { assignment_ids: [] }, reply: nothing })
  const taken = { body: { assignment_ids: [spareId] }, reply: { results: { successful_deletions: [spareId] } } }
  await asTeacher(work, 'DELETE /assignments/bulk', 200, taken)
  const warned = { message: expect.any(String), validation_details: { warnings: expect.any(Array) } }
  await asTeacher(work, `DELETE ${on}`, 200, { reply: warned })
  await asTeacher(work, `DELETE ${on}`, 404)
  const farewell = 'Course "Physics 101" and all its assignments and enrollments have been deleted successfully'
  await asTeacher('8 Success messages', `DELETE ${at}`, 200, { reply: { message: farewell } })

  const { username } = await buildPerson('admin')
  const { call: asAdmin } = await signIn(username)
  const real = 'decided, real'
  await asAdmin(real, 'GET /admin/dashboard', 200)
  await asAdmin(real, 'GET /admin/users', 200, { fields: `${user} account` })
  await asAdmin(real, `PATCH /admin/users/${ben.id}/role`, 200, { body: { role: 'instructor' } })
  await asAdmin(real, `POST /admin/users/${ben.id}/deactivate`, 200)
  await asAdmin(real, 'GET /admin/settings', 200)
  await asTeacher('6 Roles', 'GET /admin/users', 403, { fields: ERROR })
  const tool = await asAdmin(real, 'GET /admin/lti/tool', 200, { fields: 'login_url launch_url jwks_url' })
  const lms = await newLms('moodle')
  const registered = lms.registerTool({
    loginUrl: `${server.running.url}/lti/login`,
    launchUrl: `${server.running.url}/lti/launch`,
    jwksUrl: `${server.running.url}/lti/keys`,
    redirectUris: [tool.launch_url],
  })
  const addresses = { auth_endpoint: lms.authorizationUrl, token_endpoint: lms.tokenUrl, jwks_url: lms.jwksUrl }
  const values = { name: 'Moodle', lms: 'moodle', issuer: lms.issuer, client_id: registered.clientId, ...addresses }
  const platform = await asAdmin(real, 'POST /admin/lti/platforms', 201, { body: values, reply: values })
  await asAdmin(real, 'GET /admin/lti/platforms', 200, { fields: 'id name issuer client_id deployments' })
  await asAdmin(real, `PATCH /admin/lti/platforms/${platform.id}`, 200, { body: { name: 'School' } })
  const { course: theirs, teacher } = lms.classOf(1)
  const deployment = lms.deploymentOf(registered)
  const link = lms.addLink(theirs, { deployment, title: 'Quiz 1', scoreMaximum: 20 })
  const browser = await launchToHandoff({ lms, deployment, server }, { as: teacher, link })
  // Decided since: the address names the launch, as a browser may have several open.
  const session = `POST /auth/lti/session/${browser.launchId}`
  const code = { code: browser.location.split('#')[1] }
  await client(browser.headers)('decided, paths', session, 200, { body: code, fields: 'access_token launch' })

  const contract = await nobody('decided, paths', 'GET /openapi.json', 200, { fields: 'openapi info paths' })
  expect.soft(contract.openapi, 'decided, paths').toBe('3.1.0')
  await asTeacher(auth, 'POST /auth/logout', 200)
  await asTeacher('decided, sign-in', 'GET /auth/users/me', 401, { fields: ERROR })
})

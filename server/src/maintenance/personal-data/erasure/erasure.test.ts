import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getMe, signIn } from '@assay/shared/auth.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { eraseUser, previewErasure } from '@assay/shared/personal-data.ts'
import mongoose from 'mongoose'
import { beforeAll, describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { createTestApi } from '../../../testing/api.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { buildPersonEverywhere } from '../../../testing/person-everywhere.ts'
import { everywhere, secretsOfPerson } from '../../../testing/person-everywhere-words.ts'
import { searchDatabase } from '../../../testing/search-database.ts'
import { useOwnServer } from '../../../testing/server.ts'
import { heldData } from '../held-data.ts'

const server = useOwnServer()
const api = createTestApi(server)

/** Models with something of the person that cannot be there before: an erasure makes it. */
const MADE_BY_ERASURE = ['Erasure', 'RetainedGrade']
/** Models that hold instructors' and administrators' numbers alone, or what no test stores for a student. */
const NOT_OF_STUDENTS = [
  'Course',
  'InvitationCount',
  'RosterImport',
  'RubricGeneration',
  'RubricVersion',
  'RubricItem',
  'LtiPlatform',
  'LtiRegistrationLink',
  'PageTranscript',
  'LlmCall',
]

/** Files of the data folder in whose content or name one of the words is. */
async function searchFolder(folder: string, words: string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name)
    if (!(await stat(file)).isFile()) continue
    const text = `${name}\n${await readFile(file, 'utf8')}`.toLowerCase()
    if (words.some((word) => text.includes(word.toLowerCase()))) found.push(`${name}: ${text.slice(0, 300)}`)
  }
  return found
}

/** Whether one of the words or numbers is at one of the paths. */
function hasAt(doc: object, paths: string[], words: string[], numbers: number[]): boolean {
  return paths.some((path) => {
    const at = path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], doc)
    const text = (JSON.stringify(at) ?? '').toLowerCase()
    return (
      words.some((word) => text.includes(word.toLowerCase())) ||
      numbers.some((number) => new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text))
    )
  })
}

/** Models whose documents are to be deleted or emptied, and are not. The audit log and the row of the account keep the numbers. */
async function modelsWithNumbers(numbers: number[]): Promise<string[]> {
  const left: string[] = []
  for (const [name, { paths, erasure }] of Object.entries(heldData)) {
    if (!['deleted', 'emptied'].includes(erasure) || ['Audit', 'User'].includes(name)) continue
    const docs = await mongoose.model(name).find().lean()
    if (docs.some((doc) => hasAt(doc, paths, [], numbers))) left.push(name)
  }
  return left
}

describe('a student with something in every record', () => {
  let world: Awaited<ReturnType<typeof buildPersonEverywhere>>
  let words: string[] = []
  beforeAll(async () => {
    world = await buildPersonEverywhere(api, server.running)
    words = [...secretsOfPerson, ...world.hashes]
  })

  it('is in every model that may have something of them', async () => {
    const { person, submissionId } = world
    const empty: string[] = []
    for (const [name, { paths }] of Object.entries(heldData)) {
      if (paths.length === 0 || [...MADE_BY_ERASURE, ...NOT_OF_STUDENTS].includes(name)) continue
      const docs = await mongoose.model(name).find().lean()
      if (!docs.some((doc) => hasAt(doc, paths, words, [person.id, submissionId]))) empty.push(name)
    }
    expect(empty).toEqual([])
  })

  it('is told what is deleted and what is kept, before', async () => {
    const admin = await buildPerson('admin')
    const preview = await api.as(admin).send(previewErasure, { params: { userId: world.person.id } })
    expect(preview.body).toMatchObject({ blockers: [], papers: 1, retained_grades: 1, progress: null })
  })

  it('is nowhere once they are erased, but for what is listed', async () => {
    const { person, assignmentId, submissionId, courseId, owner, classmate, hashes } = world
    const admin = await buildPerson('admin')
    const before = await searchDatabase(secretsOfPerson)
    expect(Object.keys(before).length).toBeGreaterThan(20)
    const session = api.as(person)
    expect((await session.send(getMe)).status).toBe(200)
    const params = { userId: person.id }
    const asked = await api.as(admin).send(eraseUser, { params, body: { username: person.username } })
    expect(asked.status, asked.text).toBe(202)
    expect((await session.send(getMe)).status).toBe(401)
    const progress = async () => (await api.as(admin).send(previewErasure, { params })).body.progress
    await expect.poll(async () => (await progress())?.state).toBe('done')

    expect(await searchDatabase(words)).toEqual({})
    const { dataDir } = server.running.services.config
    expect(await searchFolder(dataDir, words)).toEqual([])
    expect(await modelsWithNumbers([person.id, submissionId])).toEqual([])
    for (const hash of hashes) expect(await server.running.services.files.size(hash)).toBeNull()
    const signedIn = await api.nobody.send(signIn, {
      body: { username: everywhere.username, password: person.password },
    })
    expect(signedIn.status).toBe(401)

    // What the school keeps, under one placeholder; the classmate's is as it was.
    const placeholder = (await progress())?.placeholder ?? ''
    expect(placeholder).toMatch(/^Deleted student [0-9a-f]{4,}$/)
    const kept = await mongoose.model('RetainedGrade').find().lean()
    expect(kept).toMatchObject([{ course_id: courseId, assignment_id: assignmentId, placeholder, final_score: 90 }])
    const csv = await api.as(owner).send(exportGrades, { params: { assignmentId } })
    expect(csv.text).toContain(placeholder)
    expect(csv.text).toContain(classmate.username)
    const audit = await AuditModel.find({ 'subject.user_id': person.id }).lean()
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.erased', 'user.renamed', 'student.enrolled']),
    )
  })
})

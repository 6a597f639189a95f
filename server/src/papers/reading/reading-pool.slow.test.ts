import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { PDFDocument } from 'pdf-lib'
import { beforeAll, expect, it } from 'vitest'
import { drawEssay } from '../../../../tests/papers/draw-essay.ts'
import { hostileFiles } from '../../../../tests/papers/hostile-files.ts'
import { onePage } from '../../../../tests/papers/raw-pdf.ts'
import { simulateScan } from '../../../../tests/papers/scan.ts'
import { drawSheets, emptySheet } from '../../../../tests/papers/sheet.ts'
import { runForRequest } from '../../lib/request-context.ts'
import { usePaperFolder } from '../../testing/cached-paper-reader.ts'
import { PaperError } from '../paper-error.ts'
import { createPaperReader, type PaperReader, type PaperReaderOptions } from '../paper-reader.ts'

const papers = usePaperFolder()
let small: string
let long: string
beforeAll(async () => {
  small = await papers.put(onePage())
  // Takes a second, and half a second for each further page.
  const ink = { text: 'Read by OCR', x: 60, y: 100, font: 'Helvetica', size: 12 }
  const sheets = Array.from({ length: 4 }, () => ({ ...emptySheet(), ink: [ink] }))
  long = await papers.put(await simulateScan(await drawSheets(sheets, { title: 'Scan' }), { seed: 3 }))
})

async function withReader<T>(options: PaperReaderOptions, use: (reader: PaperReader) => Promise<T>): Promise<T> {
  const reader = createPaperReader(options)
  try {
    return await use(reader)
  } finally {
    await reader.close()
  }
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await wait(20)
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const makeHostile = async (name: string): Promise<string> => {
  const file = hostileFiles.find((one) => one.name === name)
  if (!file) throw new Error(`There is no hostile file ${name}`)
  return papers.put(await file.create())
}

it('reads a paper again when its process was killed from outside', async () => {
  await withReader({ processes: 1 }, async (reader) => {
    let killed = 0
    const paper = await reader.read(long, {
      onPage(done) {
        if (done !== 1 || killed++ > 0) return
        for (const pid of reader.processIds()) process.kill(pid, 'SIGKILL')
      },
    })
    expect(killed).toBeGreaterThan(0)
    expect(paper.pages).toHaveLength(4)
  })
})

it('fails a paper whose process is always killed, and reads the next', async () => {
  await withReader({ processes: 1 }, async (reader) => {
    const reading = reader.read(long, {
      onPage: () => {
        for (const pid of reader.processIds()) process.kill(pid, 'SIGKILL')
      },
    })
    await expect(reading).rejects.toMatchObject({ name: 'PaperError', code: 'machine_full' })
    expect((await reader.read(small)).pages).toHaveLength(1)
  })
})

it('reads a paper alone for the last time', async () => {
  await withReader({ processes: 2 }, async (reader) => {
    let [killed, beside] = [0, 0]
    const others: Promise<unknown>[] = []
    const paper = await reader.read(long, {
      onPage(done) {
        if (killed < 2) {
          killed += 1
          for (const pid of reader.processIds()) process.kill(pid, 'SIGKILL')
        } else if (done === 1) others.push(reader.read(small).then(() => (beside += 1)))
        else expect(beside).toBe(0)
      },
    })
    expect(paper.pages).toHaveLength(4)
    await Promise.all(others)
    expect(beside).toBe(1)
  })
})

it('stops a cancelled paper, whether running or queued', async () => {
  await withReader({ processes: 1 }, async (reader) => {
    const running = new AbortController()
    const waiting = new AbortController()
    const first = reader.read(long, { signal: running.signal, onPage: () => running.abort() })
    const second = reader.read(long, { signal: waiting.signal })
    const third = reader.read(small)
    waiting.abort()
    await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    expect((await third).pages).toHaveLength(1)
    await expect(reader.read(small, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(PaperError)
  })
})

it('starts what users wait for before other papers, the first to come first', async () => {
  await withReader({ processes: 1 }, async (reader) => {
    const ended: string[] = []
    const running = new AbortController()
    const isRunning = Promise.withResolvers<void>()
    const first = reader.read(long, { signal: running.signal, onPage: () => isRunning.resolve() })
    await isRunning.promise
    const paper = reader.read(small).then(() => ended.push('paper'))
    const pictures = ['a', 'b', 'c'].map((name) =>
      reader.pageOfPicture({ file: small, corners: null, turns: 0 }).catch(() => ended.push(name)),
    )
    running.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    await Promise.all([paper, ...pictures])
    expect(ended).toEqual(['a', 'b', 'c', 'paper'])
  })
})

it('stops a paper that takes too long for one page', async () => {
  await withReader({ processes: 1, limits: { secondsPerPage: 1.5 } }, async (reader) => {
    await expect(reader.read(await makeHostile('text-bomb'))).rejects.toMatchObject({ code: 'too_long' })
  })
})

it('counts the time of the processor, not of the clock', async () => {
  await withReader({ processes: 1, limits: { secondsPerPage: 2.5 } }, async (reader) => {
    let stopped: Promise<void> | undefined
    const pause = async () => {
      const [pid = 0] = reader.processIds()
      process.kill(pid, 'SIGSTOP')
      await wait(3000)
      process.kill(pid, 'SIGCONT')
    }
    const paper = await reader.read(long, { onPage: () => (stopped ??= pause()) })
    await stopped
    expect(paper.pages).toHaveLength(4)
  })
})

it('reads the other pages of a paper with one that takes too long', async () => {
  const merged = await PDFDocument.create()
  for (const file of [small, await makeHostile('text-bomb'), small]) {
    const [page] = await merged.copyPages(await PDFDocument.load(await readFile(file)), [0])
    if (page) merged.addPage(page)
  }
  const file = await papers.put(Buffer.from(await merged.save()))
  await withReader({ processes: 1, limits: { secondsPerPage: 1.5 } }, async (reader) => {
    const { pages } = await reader.read(file)
    expect(pages.map(({ damaged = false, lines }) => [damaged, lines.length > 0])).toEqual([
      [false, true],
      [true, false],
      [false, true],
    ])
  })
})

it('draws a page while longer tasks hold all processes', async () => {
  await withReader({ processes: 1 }, async (reader) => {
    const ended: string[] = []
    const started = Promise.withResolvers<void>()
    const reading = reader.read(long, { onPage: () => started.resolve() }).then(() => ended.push('paper'))
    await started.promise
    const queued = reader.read(small).then(() => ended.push('next paper'))
    await reader.renderPage(small, 1, { width: 200 }).then(() => ended.push('picture'))
    await Promise.all([reading, queued])
    expect(ended).toEqual(['picture', 'paper', 'next paper'])
  })
})

it('takes turns between people, and makes once what one asks for twice', async () => {
  await withReader({ processes: 1 }, async (reader) => {
    const ended: string[] = []
    const started = Promise.withResolvers<void>()
    const running = new AbortController()
    const first = reader.read(long, { signal: running.signal, onPage: () => started.resolve() })
    await started.promise
    const read = (name: string) => runForRequest(undefined, () => reader.read(small).then(() => ended.push(name)), name)
    const reading = [read('Ada'), read('Ada'), read('Ada'), read('Ben')]
    const covers = Array.from({ length: 3 }, () =>
      reader.markUp(null, { title: 'Cover', cover: [], notes: [], turned: [], pen: [] }),
    )
    await expect.poll(() => reader.tasksWaiting()).toBe(5)
    running.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    await Promise.all([...reading, ...covers])
    expect(ended).toEqual(['Ada', 'Ben', 'Ada', 'Ada'])
  })
})

it('stops a paper that takes too long in total, though each page is quick', async () => {
  await withReader({ processes: 1, limits: { secondsPerPaper: 1 } }, async (reader) => {
    await expect(reader.read(long)).rejects.toMatchObject({ code: 'too_much_text' })
  })
})

it('stops a paper that takes too much memory, and says so', async () => {
  await withReader({ processes: 1, limits: { childMegabytes: 350 } }, async (reader) => {
    const reading = reader.read(await makeHostile('flate-bomb'))
    await expect(reading).rejects.toMatchObject({ code: 'too_much_memory', message: /memory/ })
  })
})

it('refuses files that are too large or have too many pages, with a message', async () => {
  await withReader({ processes: 1, limits: { megabytes: 0.05, pages: 2 } }, async (reader) => {
    await expect(reader.check(long)).rejects.toMatchObject({ message: /larger than 0.05 MB/ })
    const three = await papers.put(await drawEssay(3))
    await expect(reader.check(three)).rejects.toMatchObject({
      code: 'too_many_pages',
      message: /has 3 pages, and at most 2/,
    })
  })
})

it('ends idle processes', async () => {
  await withReader({ limits: { idleSeconds: 0.1 } }, async (reader) => {
    await Promise.all([reader.read(small), reader.read(small)])
    expect(reader.processIds().length).toBeGreaterThan(0)
    await until(() => reader.processIds().length === 0)
    expect((await reader.read(small)).pages).toHaveLength(1)
  })
})

it('reads names in a process that has looked at no pages', async () => {
  await withReader({ processes: 1 }, async (reader) => {
    await reader.scanPages(small, { from: 1, to: 1 }, { blank: null })
    const looked = reader.processIds()
    await reader.scanPages(small, { from: 1, to: 1 }, { blank: null })
    expect(reader.processIds()).toEqual(looked)
    await reader.readTops(small, [{ number: 1, turns: 0 }])
    const named = reader.processIds()
    expect(named).not.toEqual(looked)
    await reader.readTops(small, [{ number: 1, turns: 0 }])
    expect(reader.processIds()).toEqual(named)
  })
})

it('cancels the remaining tasks when it is closed', async () => {
  const reader = createPaperReader({ processes: 1 })
  const papersLeft = [reader.read(long), reader.read(small)]
  const outcomes = Promise.allSettled(papersLeft)
  await until(() => reader.processIds().length > 0)
  const [pid = 0] = reader.processIds()
  await reader.close()
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'cancelled' } })
  expect(alive(pid)).toBe(false)
})

it.each([
  ['between two messages', () => long],
  ['during a page that never ends', () => makeHostile('pattern-draws-itself')],
])('leaves no process behind when the server is killed %s', async (_, file) => {
  const server = fork(new URL('./testing/reader-host-process.ts', import.meta.url), [await file()], { execArgv: [] })
  const [pids]: number[][] = await once(server, 'message')
  expect(pids).toHaveLength(1)
  server.kill('SIGKILL')
  await until(() => !(pids ?? []).some(alive))
})

it.each([
  ['with enough memory', '600'],
  ['with a memory limit that needs a new process for each paper', '240'],
])('reads several papers without keeping the host process alive, %s', async (_, megabytes) => {
  const server = fork(new URL('./testing/reader-host-process.ts', import.meta.url), [small, megabytes], {
    execArgv: [],
  })
  await once(server, 'message')
  const [code] = await once(server, 'exit')
  expect(code).toBe(0)
})

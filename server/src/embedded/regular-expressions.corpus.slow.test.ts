import { Binary, BSONRegExp, Long } from 'bson'
import { describe, expect, it } from 'vitest'
import { onEveryServer, type Row } from './testing/on-every-server.ts'

/** Patterns mean what PCRE says, which MongoDB uses. */
onEveryServer((things) => {
  async function matching(pattern: string, texts: string[], options = ''): Promise<unknown[]> {
    await things().insertMany(texts.map((s, n) => ({ _id: n, s })))
    const found = await things()
      .find({ s: new BSONRegExp(pattern, options) } as never)
      .sort({ _id: 1 })
      .toArray()
    return found.map((doc) => doc.s)
  }

  it.each<[string, string, string[], string[]]>([
    ['^[[:alpha:]]+$', '', ['abc', 'a1', ':al', 'ä'], ['abc']],
    ['[[:digit:][:space:]]x', '', ['1x', ' x', ':x'], ['1x', ' x']],
    ['[]a]', '', [']', 'a', 'b'], [']', 'a']],
    ['[^]a]', '', [']', 'b'], ['b']],
    ['[[]', '', ['[', 'x'], ['[']],
    ['a$', '', ['a', 'a\n', 'a\nb'], ['a', 'a\n']],
    ['a$', 'm', ['a\nb', 'a\rb'], ['a\nb']],
    ['^b', 'm', ['a\nb', 'a\rb'], ['a\nb']],
    ['^$', 'm', ['a\n', 'a\n\nb', ''], ['a\n\nb', '']],
    ['\\Ab', 'm', ['a\nb', 'b'], ['b']],
    ['a\\Z', '', ['a\n', 'a', 'ab'], ['a\n', 'a']],
    ['a\\z', '', ['a\n', 'a'], ['a']],
    ['^a.b$', '', ['a\rb', 'a\nb', 'a\u2028b'], ['a\rb', 'a\u2028b']],
    ['^a.b$', 's', ['a\rb', 'a\nb'], ['a\rb', 'a\nb']],
    ['^.$', '', ['\u{1f600}', 'ab'], ['\u{1f600}']],
    ['a\\sb', '', ['a b', 'a\u00a0b'], ['a b']],
    ['a\\Sb', '', ['a b', 'a\u00a0b'], ['a\u00a0b']],
    ['a\\hb', '', ['a\u00a0b', 'a\nb', 'ahb'], ['a\u00a0b']],
    ['\\Qa.b\\E+', '', ['a.bb', 'axb'], ['a.bb']],
    ['a b # and a comment', 'x', ['ab', 'a b'], ['ab']],
    ['(?si)A.b', '', ['a\nb'], ['a\nb']],
    ['(?P<year>\\d{4})-(?<month>\\d\\d)', '', ['2026-11', '26-11'], ['2026-11']],
    ['a(?#nothing)b', '', ['ab', 'a#b'], ['ab']],
    ['\\p{Lu}\\x{e9}', '', ['Aé', 'aé'], ['Aé']],
    ['a{,b}', '', ['a{,b}', 'a'], ['a{,b}']],
    ['^a-_\\-/\\/$', '', ['a-_-//'], ['a-_-//']],
    ['STRASSE', 'i', ['strasse', 'straße'], ['strasse']],
  ])('%j with the options "%s"', async (pattern, options, texts, expected) => {
    expect(await matching(pattern, texts, options)).toEqual(expected)
  })

  it.each<[string, string, number]>([
    ['[[:absent:]]', '', 51091],
    ['a**', '', 51091],
    ['(', '', 51091],
    ['a)', '', 51091],
    ['\\u00e4', '', 51091],
    ['[z-a]', '', 51091],
    ['a', 'g', 51108],
  ])('refuses %j with the options "%s"', async (pattern, options, code) => {
    await things().insertOne({ s: 'a' })
    await expect(things().findOne({ s: { $regex: pattern, $options: options } })).rejects.toMatchObject({ code })
  })

  describe('other operators', () => {
    const docs: Row[] = [
      { _id: 1, b: new Binary(Buffer.from([0b101, 0b1])) },
      { _id: 2, b: 5 },
      { _id: 3, b: -1 },
      { _id: 4, b: Long.fromString('9007199254740993') },
      { _id: 5, b: 2.5 },
      { _id: 6, b: '5' },
    ]
    it.each<[Record<string, unknown>, number[]]>([
      [{ $bitsAllSet: [0, 2] }, [1, 2, 3]],
      [{ $bitsAllSet: [8] }, [1, 3]],
      [{ $bitsAllSet: new Binary(Buffer.from([0b101])) }, [1, 2, 3]],
      [{ $bitsAnyClear: 1 }, []],
      [{ $bitsAllClear: [1] }, [1, 2, 4]],
      [{ $bitsAllSet: [100] }, [3]],
      [{ $bitsAllSet: [0, 53] }, [3, 4]],
      [{ $mod: [10, 3] }, [4]],
    ])('finds %j', async (condition, expected) => {
      await things().insertMany(docs)
      const found = await things().find({ b: condition }).sort({ _id: 1 }).toArray()
      expect(found.map((doc) => doc._id)).toEqual(expected)
    })

    it.each<[Record<string, unknown>]>([
      [{ $bitsAllSet: -1 }],
      [{ $bitsAllSet: 'x' }],
      [{ $bitsAllSet: [-1] }],
      [{ $ne: /x/ }],
      [{ $mod: [2, 'x'] }],
    ])('refuses %j', async (condition) => {
      await things().insertOne({ b: 1 })
      await expect(things().findOne({ b: condition })).rejects.toThrow()
    })
  })
})

// The door's own pages (way-pages.ts), in whatever browser a school has: no modules, nothing newer than 2020.
;(() => {
  /** A platform that keeps data answers at once; one that does not never will. */
  const ANSWER_MS = 2000
  let door
  let asked

  // Before anything is drawn: the button is for browsers that run no scripts, and for where nothing else serves.
  document.documentElement.classList.add('script')
  document.addEventListener('DOMContentLoaded', () => {
    door = document.querySelector('[data-door]')
    asked = door.dataset
    if (asked.door === 'login') findWay()
    else bringSecret()
  })

  async function findWay() {
    const kept = cookieIsKept() || (await ask('lti.put_data', { value: asked.secret })) !== null
    // Not in the history: going back must not come here again.
    if (kept) return location.replace(asked.onward)
    door.querySelector('.wait').hidden = true
    const ways = door.querySelector('.ways')
    ways.classList.add('needed')
    ways.querySelector('a').addEventListener('click', showOpened)
  }

  /** What the LMS gave us for this login serves once: the way back is not through the same button. */
  function showOpened() {
    door.querySelector('.ways').classList.remove('needed')
    const opened = door.querySelector('.opened')
    opened.hidden = false
    opened.focus()
  }

  async function bringSecret() {
    const form = door.querySelector('form')
    const answer = await ask('lti.get_data', {})
    // Without it too: the answer then says in words what is wrong.
    form.elements.namedItem('secret').value = answer && typeof answer.value === 'string' ? answer.value : ''
    form.submit()
  }

  function cookieIsKept() {
    try {
      return document.cookie.split('; ').indexOf('assay_door=1') >= 0
    } catch {
      return false
    }
  }

  /** The frame that keeps data for tools, next to ours or around it; null where there is none. */
  function storageFrame() {
    const around = window.parent !== window ? window.parent : window.opener
    try {
      return asked.frame === '_parent' ? around : (around?.frames[asked.frame] ?? null)
    } catch {
      return null
    }
  }

  /** The platform's answer to one message (LTI client side postMessages 1.0); null when it refuses or keeps silent. */
  function ask(subject, more) {
    const target = asked.frame ? storageFrame() : null
    if (!target) return Promise.resolve(null)
    const id = `assay-${asked.key}`
    return new Promise((resolve) => {
      const late = setTimeout(() => finish(null), ANSWER_MS)
      function hear(event) {
        const said = event.data
        if (event.origin !== asked.origin || event.source !== target || !said) return
        if (said.subject !== `${subject}.response` || said.message_id !== id) return
        finish(said.error ? null : said)
      }
      function finish(answer) {
        clearTimeout(late)
        window.removeEventListener('message', hear)
        resolve(answer)
      }
      window.addEventListener('message', hear)
      target.postMessage({ subject, message_id: id, key: asked.key, ...more }, asked.origin)
    })
  }
})()

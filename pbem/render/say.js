// The words of a page in the language of its reader. The texts are there in English, and are the keys of a
// table that the program puts on the page (page_words.py).
/** @type {Record<string, string>} */
const TABLE = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/**
 * @param {string} text
 * @param {Record<string, string | number>} parts
 */
export function say(text, parts = {}) { // what fills a gap is never looked into for gaps
  return (TABLE[text] ?? text).replace(/\{(\w+)\}/g, (gap, name) => String(parts[name] ?? gap));
}

/**
 * Convenience for readers with scripts: the heads of the candidate table sort it, and what is folded is printed. The
 * report lacks nothing without it. The page's content security policy admits this text alone, by its SHA-256; a test
 * holds the two together.
 */
export const script = `(function () {
  'use strict';
  var table = document.querySelector('table.candidates');
  if (table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    var valueOf = function (body, i) {
      var cell = body.rows[0].cells[i];
      var raw = cell.getAttribute('data-v');
      return raw === null || raw === '' ? cell.textContent.trim() : Number(raw);
    };
    heads.forEach(function (head, i) {
      var button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.setAttribute('aria-label', 'Sort by ' + (head.title || head.firstChild.textContent.trim()));
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener('click', function () {
        var down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        var bodies = Array.prototype.slice.call(table.tBodies, 1);
        bodies.sort(function (a, b) {
          var x = valueOf(a, i), y = valueOf(b, i);
          var order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
          return down ? -order : order;
        });
        bodies.forEach(function (body) { table.appendChild(body); });
      });
    });
  }
  addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (one) { one.open = true; });
  });
})();`;

export const scriptHash = 'sha256-8B4ft8ZO2AA7VBdMwj03x3aJKX1F4yEro2nmtYfY0SA=';

// SPDX-License-Identifier: MIT
// Usage: node validate.js FILE...   One line of JSON for each: {file, errors, warnings, messages}.
"use strict";
const fs = require("fs");
const validator = require("gltf-validator");

async function main(files) {
    for (const file of files) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { uri: file, maxIssues: 20 });
        const { numErrors, numWarnings, messages } = report.issues;
        console.log(JSON.stringify({ file, errors: numErrors, warnings: numWarnings, messages, info: report.info }));
    }
}

main(process.argv.slice(2)).catch((error) => {
    console.error(String(error));
    process.exit(1);
});

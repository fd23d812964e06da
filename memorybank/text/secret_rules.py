"""The table of secrets that are recognisable by their own form or by the words around them. `text.secret_scanner` applies it.

All patterns work on UTF-8 bytes. Unbounded repetitions are possessive (`++`, `{20,}+`), and the gap between two parts of a pattern is
bounded, so that the time to match grows only linearly with the length of the text.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    Rule = tuple[str, tuple[str, ...], int, str, float | None, str]

NAME: Final = 0
KEYWORDS: Final = 1
LEAD: Final = 2
PATTERN: Final = 3
ENTROPY: Final = 4
SOURCE: Final = 5
"""Positions in a rule. Rules are tuples, because loading constants costs a hook nothing, and two hundred values would."""
# name: the rule name in the mark.
# keywords: a pattern is tried only at one of these; `a&b` requires both in one text.
# lead: number of bytes before the keyword at which a match begins.
# pattern: the secret is its last group that took part, or the entire match if it has no group. `\b` at the beginning: no word may continue
#   into the match; the letter of an escape (`\n`, `%3D`) does not count as a word.
# entropy: minimum bits per character of the secret (Shannon), which must also mix digits and letters; None: six different characters suffice.
# source: where the format is documented.
TOKENS: tuple[Rule, ...] = (
    ("aws", ("AKIA", "ASIA", "ABIA", "ACCA"), 0, r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9/+=])", None, "AWS IAM: unique identifiers"),
    (
        "aws_secret",
        ("AKIA", "ASIA"),
        0,
        r"\bA[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9/+=])[\s\S]{1,150}?(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])",
        2.0,
        "AWS IAM: access keys, the secret that is listed behind its id",
    ),
    ("aws", ("ABSK", "bedrock-api-key-"), 0, r"\b(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}+=*", 3.0, "Amazon Bedrock: API keys"),
    ("aws", ("IQoJb3Jp", "FwoGZXIv"), 0, r"(?:IQoJb3Jp|FwoGZXIv)[A-Za-z0-9+/]{80,}+=*", 3.0, "AWS STS: session tokens"),
    ("github", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), 0, r"gh[pousr]_[A-Za-z0-9]{30,}+", None, "GitHub: token formats"),
    ("github", ("github_pat_",), 0, r"github_pat_\w{22,}+", None, "GitHub: token formats"),
    (
        "gitlab",
        ("glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glcbt-", "glsoat-", "glft-", "glimt-", "glagent-", "gloas-", "glffct-", "GR1348941"),
        0,
        r"(?:gl(?:pat|dt|rtr?|ptt|cbt|soat|ft|imt|agent|oas|ffct)-|GR1348941)[\w.-]{20,}+",
        None,
        "GitLab: token overview, token prefixes",
    ),
    ("slack", ("xox", "xapp-"), 0, r"(?:xox[bparsocde]|xapp)-[A-Za-z0-9%-]{12,}+", None, "Slack: token types"),
    ("slack", ("xoxe.",), 0, r"xoxe\.[A-Za-z0-9.-]{16,}+", None, "Slack: token rotation"),
    ("stripe", ("k_live_", "k_test_"), 1, r"\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}+", None, "Stripe: API keys; Clerk and others use the same form"),
    ("stripe", ("whsec_",), 0, r"\bwhsec_[A-Za-z0-9+/]{16,}+=*", None, "Stripe: webhook signatures; Standard Webhooks"),
    ("anthropic", ("sk-ant-",), 0, r"\bsk-ant-[\w-]{16,}+", None, "Anthropic: API keys"),
    ("openai", ("sk-",), 0, r"\bsk-[\w-]{20,}+", 2.0, "OpenAI: API authentication; OpenRouter, DeepSeek, LiteLLM, Langfuse use the same form"),
    ("google", ("AIza",), 0, r"\bAIza[\w-]{35,}+", None, "Google Cloud: API keys"),
    ("google", ("GOCSPX-",), 0, r"GOCSPX-[\w-]{20,}+", None, "Google: OAuth client secrets"),
    ("google", ("ya29.",), 0, r"\bya29\.[\w.-]{20,}+", None, "Google: OAuth 2.0 access tokens"),
    ("google", ("1//0",), 0, r"\b1//0[\w-]{30,}+", 3.0, "Google: OAuth 2.0 refresh tokens"),
    *(("google", (":APA91b",), size, rf"\b[\w-]{{{size}}}:APA91b[\w-]{{80,}}+", None, "Firebase: registration tokens") for size in (11, 22)),
    ("npm", ("npm_",), 0, r"npm_[A-Za-z0-9]{30,}+", None, "npm: access tokens"),
    ("pypi", ("pypi-",), 0, r"pypi-[\w-]{30,}+", 3.0, "PyPI: API tokens"),
    ("rubygems", ("rubygems_",), 0, r"rubygems_[0-9a-f]{32,}+", None, "RubyGems: API keys"),
    ("crates", ("cio",), 0, r"\bcio[A-Za-z0-9]{32}(?!\w)", 3.0, "crates.io: API tokens"),
    ("clojars", ("CLOJARS_",), 0, r"CLOJARS_[0-9a-f]{60}", None, "Clojars: deploy tokens"),
    ("nuget", ("oy2",), 0, r"\boy2[a-z0-9]{43}(?!\w)", 3.0, "NuGet: API keys"),
    ("artifactory", ("AKCp", "cmVmd"), 0, r"\b(?:AKCp[A-Za-z0-9]{60,}+|cmVmd[A-Za-z0-9]{55,}+)", None, "JFrog: access tokens, reference tokens"),
    ("huggingface", ("hf_", "api_org_"), 0, r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}+", None, "Hugging Face: user access tokens"),
    ("digitalocean", ("dop_v1_", "doo_v1_", "dor_v1_"), 0, r"do[opr]_v1_[0-9a-f]{32,}+", None, "DigitalOcean: personal access tokens"),
    ("aiven", ("AVNS_",), 0, r"\bAVNS_[\w-]{16,}+", None, "Aiven and DigitalOcean: managed database passwords"),
    ("sendgrid", ("SG.",), 0, r"\bSG\.[\w-]{16,64}\.[\w-]{20,}+", 3.0, "SendGrid: API keys"),
    ("brevo", ("xkeysib-", "xsmtpsib-"), 0, r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}", None, "Brevo: API and SMTP keys"),
    ("mailgun", ("key-",), 0, r"\bkey-[0-9a-f]{32,}+", None, "Mailgun: API keys"),
    ("mailchimp", ("-us",), 32, r"\b[0-9a-f]{32}-us\d{1,2}(?!\w)", None, "Mailchimp: API keys"),
    ("mandrill", ("md-",), 0, r"\bmd-[\w-]{22}(?![\w-])", 3.0, "Mailchimp Transactional: API keys"),
    ("resend", ("re_",), 0, r"\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}+", 3.0, "Resend: API keys"),
    ("typeform", ("tfp_",), 0, r"\btfp_[\w.=-]{40,}+", None, "Typeform: personal access tokens"),
    ("shopify", ("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"), 0, r"shp(?:at|ca|pa|ss|tka)_[A-Za-z0-9]{32,}+", None, "Shopify: API credentials"),
    ("square", ("sq0atp-", "sq0csp-"), 0, r"sq0(?:atp|csp)-[\w-]{22,}+", None, "Square: access tokens, application secrets"),
    ("square", ("EAAA",), 0, r"\bEAAA[\w-]{60}(?![\w-])", 3.0, "Square: access tokens"),
    ("facebook", ("EAA",), 0, r"\bEAA[A-Za-z0-9]{80,}+", 3.0, "Meta: access tokens"),
    ("instagram", ("IGQ", "IGAA"), 0, r"\bIG(?:Q[VW]|AA)[\w-]{80,}+", 3.0, "Instagram: access tokens"),
    ("linkedin", ("WPL_AP1.",), 0, r"\bWPL_AP1\.[\w.]{14,}+=*", None, "LinkedIn: client secrets"),
    ("discord", ("MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"), 0, r"\b[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,}+", 3.0, "Discord: bot tokens"),
    *(("telegram", (":AA",), digits, rf"\b\d{{{digits}}}:AA[\w-]{{33,}}+", 3.0, "Telegram: bot authorization tokens") for digits in (8, 9, 10)),
    ("onepassword", ("ops_eyJ",), 0, r"\bops_eyJ[A-Za-z0-9+/_-]{60,}+=*", None, "1Password: service accounts"),
    ("onepassword", ("A3-",), 0, r"\bA3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}(?![\w-])", None, "1Password: Secret Key"),
    ("azure", ("Q~",), 4, r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,}+", 3.0, "Microsoft Entra: client secrets"),
    ("azure", ("AZDO",), 76, r"\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)", 3.0, "Azure DevOps: personal access tokens"),
    ("azure", ("JQQJ99",), 52, r"\b[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?!\w)", 3.0, "Microsoft: identifiable secrets"),
    ("azure", ("AzFu",), 44, r"\b[\w-]{44}AzFu[\w-]{8}={0,2}", 3.0, "Azure Functions: access keys"),
    ("terraform", ("atlasv1.",), 15, r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}+", None, "HCP Terraform: API tokens"),
    ("vault", ("hvs.", "hvb.", "hvr."), 0, r"\bhv[sbr]\.[\w-]{24,}+", 3.0, "HashiCorp Vault: tokens"),
    ("flyio", ("fm2_", "fm1r_", "fm1a_", "fo1_"), 0, r"\b(?:fm2|fm1[ra]|fo1)_[A-Za-z0-9+/_-]{40,}+=*", 3.0, "Fly.io: access tokens"),
    ("cloudflare", ("v1.0-",), 0, r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{140,}+", None, "Cloudflare: Origin CA keys"),
    ("netlify", ("nfp_", "nfc_", "nfo_", "nfu_"), 0, r"\bnf[pcou]_[A-Za-z0-9_]{36,}+", None, "Netlify: personal access tokens"),
    ("vercel", ("vercel_blob_rw_", "vck_", "vcp_"), 0, r"\b(?:vercel_blob_rw|vck|vcp)_[A-Za-z0-9_]{24,}+", 3.0, "Vercel: Blob and AI Gateway keys"),
    ("heroku", ("HRKU-",), 0, r"\bHRKU-[\w-]{36,}+", None, "Heroku: API keys"),
    ("render", ("rnd_",), 0, r"\brnd_[A-Za-z0-9]{24,}+", 3.0, "Render: API keys"),
    ("posthog", ("phx_", "phc_", "phs_"), 0, r"\bph[xcs]_[A-Za-z0-9]{40,}+", None, "PostHog: personal and project API keys"),
    ("circleci", ("CCIPAT_", "CCIPRJ_"), 0, r"\bCCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}", None, "CircleCI: API tokens"),
    ("buildkite", ("bkua_", "bkaj_", "bkpt_"), 0, r"\bbk(?:ua|aj|pt)_[A-Za-z0-9]{40,}+", None, "Buildkite: API access tokens"),
    ("doppler", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."), 0, r"\bdp\.[a-z]{2,5}\.[\w.-]{30,}+", None, "Doppler: token formats"),
    ("linear", ("lin_api_", "lin_oauth_", "lin_wh_"), 0, r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{30,}+", None, "Linear: API keys"),
    ("notion", ("ntn_", "secret_"), 0, r"\b(?:ntn|secret)_[A-Za-z0-9]{40,}+", 3.0, "Notion: authorization"),
    ("airtable", ("pat",), 0, r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}", None, "Airtable: personal access tokens"),
    ("contentful", ("CFPAT-",), 0, r"\bCFPAT-[\w-]{40,}+", None, "Contentful: personal access tokens"),
    ("clickup", ("pk_",), 0, r"\bpk_\d{5,9}_[A-Z0-9]{32}", None, "ClickUp: personal API tokens"),
    ("trello", ("ATTA",), 0, r"\bATTA[0-9a-f]{64}", None, "Trello: API tokens"),
    ("atlassian", ("ATATT3", "ATBB", "ATCTT3", "ATSTT3"), 0, r"\bAT(?:ATT3|BB|CTT3|STT3)[\w.=-]{24,}+", 3.0, "Atlassian: API tokens"),
    ("dropbox", ("sl.",), 0, r"\bsl\.[\w-]{130,}+", 3.0, "Dropbox: access tokens"),
    ("figma", ("figd_", "figo_"), 0, r"\bfig[do]_[\w-]{30,}+", None, "Figma: personal access tokens"),
    ("adobe", ("p8e-",), 0, r"\bp8e-[\w-]{32,}+", None, "Adobe: OAuth client secrets"),
    ("postman", ("PMAK-", "PMAT-"), 0, r"\bPMA[KT]-[A-Za-z0-9-]{24,}+", None, "Postman: API keys"),
    ("readme", ("rdme_",), 0, r"\brdme_[a-z0-9]{70}", None, "ReadMe: API keys"),
    ("grafana", ("glsa_", "glc_"), 0, r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{32,}+", 3.0, "Grafana: service accounts, Cloud access policies"),
    ("grafana", ("eyJrIjoi",), 0, r"\beyJrIjoi[A-Za-z0-9+/]{40,}+=*", None, "Grafana: API keys"),
    ("newrelic", ("NRAK-", "NRII-", "NRJS-", "NRRA-"), 0, r"\bNR(?:AK|II|JS|RA)-[A-Za-z0-9_-]{19,}+", None, "New Relic: API keys"),
    ("newrelic", ("NRAL",), 36, r"\b\w{6}[0-9a-f]{26}\w{4}NRAL(?!\w)", None, "New Relic: license keys"),
    ("sentry", ("sntrys_", "sntryu_", "sntrya_"), 0, r"sntry[sua]_[A-Za-z0-9+/=_]{32,}+", None, "Sentry: auth tokens"),
    ("dynatrace", ("dt0c01.", "dt0s01.", "dt0s08."), 0, r"\bdt0[cs]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}", None, "Dynatrace: access tokens"),
    ("honeycomb", ("hcaik_", "hcxik_", "hcbik_"), 0, r"\bhc[axb]ik_[a-z0-9]{58}", None, "Honeycomb: API keys"),
    ("axiom", ("xaat-", "xapt-"), 0, r"\bxa(?:at|pt)-[0-9a-f-]{36}", None, "Axiom: API tokens"),
    ("logfire", ("pylf_v",), 0, r"\bpylf_v\d_\w{40,}+", None, "Pydantic Logfire: write tokens"),
    ("age", ("AGE-SECRET-KEY-1",), 0, r"AGE-SECRET-KEY-1[A-Z0-9]{40,}+", None, "age: file format"),
    ("docker", ("dckr_pat_", "dckr_oat_"), 0, r"dckr_[po]at_[\w-]{20,}+", None, "Docker: access tokens"),
    ("openshift", ("sha256~",), 0, r"\bsha256~[\w-]{40,}+", 3.0, "OpenShift: OAuth access tokens"),
    ("databricks", ("dapi", "dkea", "dose"), 0, r"\bd(?:api|kea|ose)[0-9a-f]{32}(?:-\d)?(?![0-9A-Za-z])", None, "Databricks: personal access tokens"),
    ("twilio", ("SK",), 0, r"\bSK[0-9a-f]{32}(?![0-9A-Za-z])", None, "Twilio: API keys"),
    ("planetscale", ("pscale_",), 0, r"pscale_(?:tkn|pw|oauth)_[\w.-]{30,}+", None, "PlanetScale: service tokens"),
    ("supabase", ("sbp_", "sb_secret_"), 0, r"\bsb(?:p|_secret)_[\w-]{20,}+", 3.0, "Supabase: API keys"),
    ("neon", ("napi_",), 0, r"\bnapi_[a-z0-9]{48,}+", None, "Neon: API keys"),
    ("cockroach", ("CCDB1_",), 0, r"\bCCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}", None, "CockroachDB Cloud: API access"),
    ("clickhouse", ("4b1d",), 0, r"\b4b1d[A-Za-z0-9]{38}(?!\w)", 3.0, "ClickHouse Cloud: API keys"),
    ("mongodb", ("mdb_sa_sk_",), 0, r"\bmdb_sa_sk_[\w-]{40,}+", None, "MongoDB Atlas: service accounts"),
    ("pinecone", ("pcsk_",), 0, r"\bpcsk_[A-Za-z0-9_]{50,}+", None, "Pinecone: API keys"),
    ("pulumi", ("pul-",), 0, r"\bpul-[0-9a-f]{40,}+", None, "Pulumi: access tokens"),
    ("alibaba", ("LTAI",), 0, r"\bLTAI[A-Za-z0-9]{16,}+", 3.0, "Alibaba Cloud: AccessKey pairs"),
    ("tencent", ("AKID",), 0, r"\bAKID[A-Za-z0-9]{32}(?!\w)", 3.0, "Tencent Cloud: API keys"),
    ("scaleway", ("SCW",), 0, r"\bSCW(?=\D{0,16}\d)[A-Z0-9]{17}(?!\w)", None, "Scaleway: API keys"),
    ("yandex", ("AQVN", "y0_"), 0, r"\b(?:AQVN[\w-]{35,}+|y0_[\w-]{50,}+)", 3.0, "Yandex Cloud: API keys; Yandex ID: OAuth tokens"),
    ("tailscale", ("tskey-",), 0, r"\btskey-[a-z]{2,12}-[A-Za-z0-9]{8,}-?[A-Za-z0-9]{16,}+", None, "Tailscale: key prefixes"),
    ("akamai", ("akab-",), 0, r"\bakab-[a-z0-9]{16}-[a-z0-9]{16}", None, "Akamai: EdgeGrid credentials"),
    ("sonarqube", ("sqp_", "squ_", "sqa_"), 0, r"\bsq[pua]_[0-9a-f]{40}", None, "SonarQube: user tokens"),
    ("sourcegraph", ("sgp_",), 0, r"\bsgp_(?:[0-9a-f]{16}_|local_)?[A-Za-z0-9]{40,}+", None, "Sourcegraph: access tokens; Segment: public API tokens"),
    ("launchdarkly", ("sdk-", "api-", "mob-"), 0, r"\b(?:sdk|api|mob)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", None, "LaunchDarkly: SDK keys"),
    ("hubspot", ("pat-na", "pat-eu"), 0, r"\bpat-(?:na|eu)\d-[0-9a-f-]{36}", None, "HubSpot: private apps"),
    ("intercom", ("dG9rO",), 0, r"\bdG9rO[A-Za-z0-9+/]{50,}+=*", None, "Intercom: access tokens"),
    ("mapbox", ("k.eyJ",), 1, r"\b[spt]k\.eyJ[\w-]{40,}+\.[\w-]{20,}+", None, "Mapbox: access tokens"),
    ("plaid", ("access-sandbox-", "access-development-", "access-production-"), 0, r"\baccess-[a-z]{7,11}-[0-9a-f-]{36}", None, "Plaid: access tokens"),
    ("paypal", ("access_token$production$", "access_token$sandbox$"), 0,
     r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", None, "Braintree: access tokens"),
    ("paddle", ("pdl_live_", "pdl_sdbx_"), 0, r"\bpdl_(?:live|sdbx)_\w{40,}+", None, "Paddle: API keys"),
    ("razorpay", ("rzp_live_", "rzp_test_"), 0, r"\brzp_(?:live|test)_[A-Za-z0-9]{14,}+", None, "Razorpay: API keys"),
    ("flutterwave", ("FLWSECK",), 0, r"\bFLWSECK(?:_TEST)?-[A-Za-z0-9-]{12,}+", None, "Flutterwave: API keys"),
    ("easypost", ("EZAK", "EZTK"), 0, r"\bEZ[AT]K[A-Za-z0-9]{54}", None, "EasyPost: API keys"),
    ("shippo", ("shippo_",), 0, r"\bshippo_(?:live|test)_[0-9a-f]{40}", None, "Shippo: API tokens"),
    ("duffel", ("duffel_",), 0, r"\bduffel_(?:live|test)_[\w=-]{43}", None, "Duffel: access tokens"),
    ("mollie", ("live_", "test_"), 0, r"\b(?:live|test)_[A-Za-z0-9]{30}(?!\w)", 4.0, "Mollie: API keys"),
    ("octopus", ("API-",), 0, r"\bAPI-[A-Z0-9]{25,}+", 3.0, "Octopus Deploy: API keys"),
    ("prefect", ("pnu_", "pnb_"), 0, r"\bpn[ub]_[A-Za-z0-9]{36}", None, "Prefect Cloud: API keys"),
    ("infracost", ("ico-",), 0, r"\bico-[A-Za-z0-9]{32}(?!\w)", 3.0, "Infracost: API keys"),
    ("maxmind", ("_mmk",), 36, r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)", None, "MaxMind: license keys"),
    ("harness", ("pat.",), 0, r"\bpat\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}", None, "Harness: API keys"),
    ("deno", ("ddp_", "ddo_", "ddw_"), 0, r"\bdd[pow]_[A-Za-z0-9]{36}", 3.0, "Deno Deploy: access tokens"),
    ("elevenlabs", ("sk_",), 0, r"\bsk_[0-9a-f]{40,}+", None, "ElevenLabs: API keys"),
    (
        "inference",
        ("gsk_", "xai-", "pplx-", "r8_", "nvapi-", "tvly-", "lsv2_", "jina_", "csk-", "tgp_v1_", "rpa_", "e2b_", "fc-", "fw_"),
        0,
        r"\b(?:gsk_|xai-|pplx-|r8_|nvapi-|tvly-|lsv2_[ps][tk]_|jina_|csk-|tgp_v1_|rpa_|e2b_|fc-|fw_)[\w-]{22,}+",
        3.0,
        "Groq, xAI, Perplexity, Replicate, NVIDIA, Tavily, LangSmith, Jina, Cerebras, Together, RunPod, E2B, Firecrawl, Fireworks: API keys",
    ),
    ("header", ("earer ", "EARER "), 0, r"(?:earer|EARER) ([^\s\"'`<>,;&|)}\]\\\x80-\xff]{16,}+)", 2.5, "RFC 6750"),
    ("url", ("sig=", "nature="), 0, r"(?:sig|nature)=([\w%+/-]{40,}+=*)", 3.0, "Azure Storage: shared access signatures; AWS, Google: signed URLs"),
    ("jwt", ("eyJ",), 0, r"\beyJ[\w-]{9,}+\.[\w-]{8,}+(?:\.[\w.-]*+)?", None, "RFC 7519 (JWT), RFC 7516 (JWE)"),
)  # fmt: skip

_VALUE = r"""(?:\\*"((?:[^"\\\n]|\\++(?!")){4,256}+)\\*"|\\*'((?:[^'\\\n]|\\++(?!')){4,256}+)\\*'|([^\s"'`|;&<>\\\x80-\xff]{4,256}+))"""
"""A word of a command, with quotes (also escaped ones) or without."""
_QUOTED = r"""(?:\\*"((?:[^"\\\n]|\\++(?!")){4,256}+)\\*"|\\*'((?:[^'\\\n]|\\++(?!')){4,256}+)\\*')"""
_GAP = r"[^\n|;&]{0,160}?"
"""Further words of the same command."""
_NAME = r"[^\s/?#\"'`<>\\,;()\[\]{}|^@:\x80-\xff]"
_AUTHORITY = r"[^\s/?#\"'`<>\\,;()\[\]{}|^\x80-\xff]"
_READER = r"(?:\bsudo (?:-[\w-]+ )*-\w*S|--password-stdin|\bchpasswd|\bpasswd --stdin|--passphrase-fd|--with-token|\bcryptsetup|\bkinit|\bsmbpasswd)"
"""Programs and options that read a password from standard input."""
_READERS = ("sudo", "-stdin", "chpasswd", "passphrase-fd", "with-token", "cryptsetup", "kinit", "smbpasswd")
_TAKING_P = ("sshpass", "mongo", " login", "cypher-shell", "cqlsh", "twine", "evil-winrm", "rdesktop", "psexec", "useradd", "usermod")
_WITH_P = r"(?:sshpass|mongo\w*|(?:docker|podman|nerdctl|registry|az|acr|oc) login|cypher-shell|cqlsh|twine|evil-winrm|rdesktop|psexec|user(?:add|mod))"

ADDRESSES: tuple[Rule, ...] = (
    ("url", ("://",), 0, rf"://{_NAME}{{0,256}}+:({_AUTHORITY}{{3,256}})@", None, "RFC 3986, 3.2.1"),
    ("url", ("://",), 0, rf"://({_NAME}{{20,}}+)@", 2.5, "RFC 3986, 3.2.1"),
    (
        "url",
        ("://",),
        0,
        r"://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/|[\w-]{1,63}\.webhook\.office\.com/webhookb2/)([\w@/-]{24,}+)",
        None,
        "Slack, Discord, Microsoft Teams: incoming webhooks",
    ),
)  # fmt: skip
"""Matched at each `://` of a text."""
COMMANDS: tuple[Rule, ...] = (
    ("header", ("bearer",), 0, r"bearer[ \t=:\"'\\]{1,8}([^\s\"'`<>,;&|)}\]\\\x80-\xff]{16,}+)", 2.5, "RFC 6750"),
    ("option", tuple(f"{program}& -p" for program in _TAKING_P), 0,
     rf"\b{_WITH_P}{_GAP} (?-i:-p)[ =]?{_VALUE}", None, "manual pages of these programs"),
    ("option", ("mysql& -p", "mariadb& -p", "7z& -p"), 0, rf"\b(?:mysql|mariadb|7z){_GAP} (?-i:-p){_VALUE}", None, "mysql(1), 7z(1)"),
    ("option", ("zip& -p", "sqlcmd& -p", "bcp& -p", "ipmitool& -p", "mosquitto& -p"), 0,
     rf"(?:zip|sqlcmd|bcp|ipmitool|mosquitto_\w{{3}}){_GAP} (?-i:-P) ?{_VALUE}", None, "zip(1), sqlcmd, ipmitool(1), mosquitto_pub(1)"),
    ("option", ("redis-cli& -a",), 0, rf"redis-cli{_GAP} -a {_VALUE}", None, "redis-cli"),
    ("option", ("openssl& -k", "openssl&pass:"), 0,
     rf"openssl{_GAP} -(?:k |(?:pass|passin|passout) \\*[\"']?pass:){_VALUE}", None, "openssl-enc(1), openssl-passphrase-options(1)"),
    ("option", ("ldap& -w",), 0, rf"\bldap\w{{3,9}}{_GAP} (?-i:-w) ?{_VALUE}", None, "ldapsearch(1)"),
    ("option", ("htpasswd",), 0, rf"htpasswd (?:-\w+ ){{0,4}}(?:-\w*n\w* |\S{{1,200}} )\S{{1,64}} {_VALUE}", None, "htpasswd(1)"),
    ("option", ("smbclient&%", "rpcclient&%"), 0, rf"(?:smb|rpc)client{_GAP} -U ?\\*[\"']?[^\s%\"']{{1,64}}%{_VALUE}", None, "smbclient(1)"),
    ("option", ("ssh-keygen",), 0, rf"ssh-keygen{_GAP} (?-i:-[NP]) {_VALUE}", None, "ssh-keygen(1)"),
    ("option", ("storepass", "keypass"), 0, rf"-\w{{0,8}}(?:store|key)pass {_VALUE}", None, "keytool"),
    ("option", ("curl& -u", "curl&-user"), 0,
     rf"\bcurl[^\n|;]{{0,400}}? (?-i:-u|--user|--proxy-user|-U)[ =]?\\*[\"']?[\w.@+-]{{1,64}}:{_VALUE}", None, "curl(1)"),
    ("option", ("/pass:", "schtasks&/rp", "freerdp&/p:"), 0,
     rf"\b(?:cmdkey|schtasks|x?freerdp|net use){_GAP} (?:/pass:|/rp |/p:){_VALUE}", None, "cmdkey, schtasks, xfreerdp(1)"),
    ("option", ("net user",), 0, rf"net user \S{{1,64}} {_VALUE} /add", None, "Windows: net user"),
    ("option", ("alias set", "host add"), 0, rf"\bmc (?:alias set|config host add) \S+ \S+ \S+ {_VALUE}", None, "MinIO client"),
    ("option", ("rabbitmqctl",), 0, rf"rabbitmqctl{_GAP} (?:add_user|change_password) \S{{1,64}} {_VALUE}", None, "rabbitmqctl(8)"),
    ("option", ("wpa_passphrase", "nmcli"), 0,
     rf"(?:wpa_passphrase \S{{1,64}}|nmcli{_GAP} (?:password|wifi-sec\.psk)) {_VALUE}", None, "wpa_passphrase(8), nmcli(1)"),
    ("option", ("sqlplus",), 0, rf"sqlplus {_GAP}\b[\w.]{{1,64}}/([^\s@\"'/]{{4,64}}+)@", None, "SQL*Plus"),
    ("option", tuple(f"{reader}&{writer}" for reader in _READERS for writer in ("echo", "printf")), 0,
     rf"\b(?:echo|printf)(?: -\w{{1,4}}| \\*[\"']%s(?:\\+n)?\\*[\"'])* {_VALUE} *\| *{_GAP}{_READER}", None, "sudo(8), chpasswd(8), docker login"),
    ("option", tuple(f"{reader}&<<<" for reader in _READERS), 0, rf"{_READER}[^\n|]{{0,80}}?<<< *{_VALUE}", None, "bash(1), here strings"),
    ("assignment", ("define(",), 0,
     rf"\bdefine\( *\\*[\"']\w{{0,60}}?(?:pass|password|passwd|pwd|secret|token|key|salt)\\*[\"'] *, *{_QUOTED}", None, "PHP: define"),
    ("assignment", ("identified by", "identified with", "identified as"), 0,
     rf"identified (?:with [\w\"'\\]{{1,40}} )?(?:by|as) (?:password )?{_QUOTED}", None, "MySQL, Oracle: CREATE USER"),
    ("assignment", ("password&create ", "password&alter "), 0,
     rf"\b(?:create|alter) (?:user|role|login)[^\n;]{{0,120}}?\bpassword *=? *{_QUOTED}", None, "PostgreSQL, SQL Server: CREATE ROLE, CREATE LOGIN"),
    ("assignment", ("convertto-securestring",), 0, rf"convertto-securestring (?:-string )?{_QUOTED}", None, "PowerShell: ConvertTo-SecureString"),
    ("assignment", ("psk=",), 0, rf"\bpsk={_QUOTED}", None, "wpa_supplicant.conf(5)"),
    ("assignment", ("kty",), 0, r"\bd\\*\" ?: ?\\*\"([\w-]{40,}+)\\*\"", 3.0, "RFC 7517, 7518 (JWK)"),
    ("assignment", ("private-lines",), 0, r"private-lines: \d+(?:\s|\\[rn])+((?:[A-Za-z0-9+/=]{4,}+(?:\s|\\[rn])*+)++)", None, "PuTTY: private key files"),
)  # fmt: skip
"""Only for texts that may be command lines. Keywords are searched in lower case; patterns ignore case and may match anywhere."""
PRIVATE_KEY = "private_key"
"""RFC 7468, and PGP blocks (RFC 4880, 6.2)."""
RULES = tuple(dict.fromkeys((*(rule[NAME] for rule in (*TOKENS, *ADDRESSES, *COMMANDS)), PRIVATE_KEY)))
"""The rule names that a mark can contain."""

"""The configuration files as the Memory Bank specification (version 1.0.0) prints them, copied verbatim."""

import json

SCORING = json.loads("""
{
  "scoring_algorithm": {
    "version": "2.0",
    "weights": {
      "content_quality": 0.4,
      "temporal_relevance": 0.2,
      "access_frequency": 0.2,
      "relationship_density": 0.15,
      "user_rating": 0.05
    },
    "normalization": {
      "enabled": true,
      "method": "min_max",
      "range": [0.0, 10.0]
    }
  },
  "content_analysis": {
    "text_quality_metrics": {
      "length_score": {
        "min_chars": 50,
        "optimal_chars": 1000,
        "max_chars": 10000,
        "weight": 0.3
      },
      "structure_score": {
        "has_headers": 2.0,
        "has_lists": 1.5,
        "has_code_blocks": 2.5,
        "has_links": 1.2,
        "weight": 0.3
      },
      "keyword_density": {
        "important_keywords": ["TODO", "FIXME", "NOTE", "WARNING", "ERROR"],
        "boost_factor": 1.5,
        "weight": 0.2
      },
      "uniqueness_score": {
        "duplicate_penalty": 0.5,
        "similarity_threshold": 0.8,
        "weight": 0.2
      }
    },
    "semantic_analysis": {
      "enabled": true,
      "topic_modeling": {
        "enabled": false,
        "min_topics": 3,
        "max_topics": 10
      },
      "sentiment_analysis": {
        "enabled": false,
        "positive_boost": 1.1,
        "negative_penalty": 0.9
      }
    }
  },
  "temporal_analysis": {
    "recency_scoring": {
      "decay_function": "exponential",
      "half_life_days": 7,
      "min_score": 0.1
    },
    "modification_tracking": {
      "recent_edit_boost": 1.3,
      "edit_frequency_weight": 0.2
    },
    "seasonal_patterns": {
      "enabled": false,
      "weekly_pattern": true,
      "monthly_pattern": false
    }
  },
  "access_patterns": {
    "frequency_scoring": {
      "window_days": 30,
      "log_scaling": true,
      "access_weight": 1.0
    },
    "user_behavior": {
      "view_duration_weight": 0.3,
      "edit_action_weight": 0.7,
      "share_action_weight": 0.5
    }
  },
  "relationship_analysis": {
    "link_analysis": {
      "internal_links_weight": 0.6,
      "external_links_weight": 0.4,
      "bidirectional_boost": 1.2
    },
    "dependency_tracking": {
      "file_dependencies": true,
      "content_references": true,
      "tag_relationships": true
    }
  },
  "thresholds": {
    "high_importance": 8.0,
    "medium_importance": 5.0,
    "low_importance": 2.0,
    "archive_threshold": 1.0
  }
}
""")

ROTATION = json.loads("""
{
  "rotation_policy": {
    "enabled": true,
    "triggers": {
      "size_based": {
        "enabled": true,
        "max_file_size_mb": 10,
        "max_directory_size_mb": 100,
        "check_interval_hours": 6
      },
      "time_based": {
        "enabled": true,
        "max_age_days": 30,
        "cleanup_interval_hours": 24
      },
      "importance_based": {
        "enabled": true,
        "min_importance_threshold": 2.0,
        "evaluation_interval_hours": 12
      },
      "manual_trigger": {
        "enabled": true,
        "command": ".claude/scripts/rotate-notes.sh"
      }
    }
  },
  "rotation_strategy": {
    "preservation_rules": {
      "high_importance_files": {
        "threshold": 8.0,
        "preserve_indefinitely": true,
        "max_preserve_count": 100
      },
      "recent_files": {
        "preserve_days": 7,
        "ignore_importance": false
      },
      "user_bookmarked": {
        "preserve_always": true,
        "bookmark_file": ".claude/memory/bookmarks.json"
      }
    },
    "archival_rules": {
      "medium_importance": {
        "threshold_min": 2.0,
        "threshold_max": 7.9,
        "archive_after_days": 30,
        "compress": true
      },
      "low_importance": {
        "threshold_max": 1.9,
        "archive_after_days": 7,
        "compress": true,
        "delete_after_archive_days": 90
      }
    }
  },
  "backup_policy": {
    "backup_before_rotation": true,
    "backup_directory": ".claude/memory/backups",
    "backup_retention_days": 30,
    "backup_compression": true
  },
  "notification_settings": {
    "log_rotations": true,
    "alert_on_large_rotations": {
      "enabled": true,
      "threshold_files": 10,
      "threshold_size_mb": 50
    }
  }
}
""")

KEYWORD_EXTRACTION = json.loads("""
{
    "min_frequency": 2,
    "max_keywords_per_file": 20,
    "weight_boost_keywords": ["TODO", "FIXME", "NOTE", "WARNING", "ERROR"]
}
""")

STOP_WORDS = ["the", "a", "an", "and", "or", "but", "in", "on", "at", "to"]
